'use client'

import type { ApiIssue, ApiIssueUpdate } from '@afterimage/protocol/api/issue'
import { useCallback, useState } from 'react'
import { useNavigation } from '../../ui/navigation.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Changes issues on the server; answers what went wrong, or null. */
export type UpdateIssues = (
  ids: readonly string[],
  update: ApiIssueUpdate,
) => Promise<string | null>

type Patch = Partial<ApiIssue> | 'gone'

export interface Change {
  readonly issues: readonly ApiIssue[]
  readonly update: ApiIssueUpdate
  /** Values that the rows show meanwhile; `gone` when they leave this view. */
  readonly shown: Patch
  /** "STORE-3F7 resolved" */
  readonly said: string
}

/**
 * Rows as they will be: a change is shown at once, sent, and taken back when the server refuses it
 * or the reader undoes it. New rows from the server replace the provisional ones.
 */
export function useIssueChanges(issues: readonly ApiIssue[], send: UpdateIssues) {
  const { refresh } = useNavigation()
  const toast = useToast()
  const [base, setBase] = useState(issues)
  const [patches, setPatches] = useState<ReadonlyMap<string, Patch>>(new Map())
  if (base !== issues) {
    setBase(issues)
    setPatches(new Map())
  }

  const change = useCallback(
    async ({ issues: changed, update, shown, said }: Change) => {
      const ids = changed.map((issue) => issue.id)
      setPatches((before) => withPatches(before, ids, shown))
      const undo = async () => {
        setPatches((before) => withoutPatches(before, ids))
        for (const group of undoGroups(changed, update)) {
          const failed = await send(group.ids, group.update)
          if (failed !== null) toast({ text: `Could not be undone. ${failed}`, tone: 'failed' })
        }
        refresh()
      }
      toast({ text: said, undo: () => void undo() })
      const failed = await send(ids, update)
      if (failed === null) return refresh()
      setPatches((before) => withoutPatches(before, ids))
      toast({ text: `Nothing was changed. ${failed}`, tone: 'failed' })
    },
    [send, refresh, toast],
  )
  return { shown: patched(issues, patches), change }
}

/** The updates that put back what `done` changed, one per distinct state the issues were in. */
export function undoGroups(
  issues: readonly ApiIssue[],
  done: ApiIssueUpdate,
): readonly { readonly ids: readonly string[]; readonly update: ApiIssueUpdate }[] {
  const groups = new Map<string, { ids: string[]; update: ApiIssueUpdate }>()
  for (const issue of issues) {
    const update: ApiIssueUpdate = {
      ...(done.status === undefined && done.substatus === undefined ? {} : statusOf(issue)),
      ...(done.assignedTo === undefined
        ? {}
        : { assignedTo: issue.assignedTo === null ? null : `user:${issue.assignedTo.id}` }),
    }
    const key = JSON.stringify(update)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ids: [issue.id], update })
    else group.ids.push(issue.id)
  }
  return [...groups.values()]
}

/** Returns the update that restores a state, with an archived issue's remaining conditions. */
function statusOf(issue: ApiIssue): ApiIssueUpdate {
  const { ignoreUntil, ...details } = issue.statusDetails as { readonly ignoreUntil?: string }
  const left = ignoreUntil === undefined ? Number.NaN : Date.parse(ignoreUntil) - Date.now()
  const statusDetails: ApiIssueUpdate['statusDetails'] = {
    ...details,
    ...(Number.isNaN(left) ? {} : { ignoreDuration: Math.max(1, Math.round(left / 60_000)) }),
  }
  return {
    status: issue.status,
    ...(issue.substatus === null ? {} : { substatus: issue.substatus }),
    ...(Object.keys(statusDetails).length === 0 ? {} : { statusDetails }),
  }
}

function patched(issues: readonly ApiIssue[], patches: ReadonlyMap<string, Patch>): ApiIssue[] {
  return issues.flatMap((issue) => {
    const patch = patches.get(issue.id)
    if (patch === 'gone') return []
    return [patch === undefined ? issue : { ...issue, ...patch }]
  })
}

function withPatches(before: ReadonlyMap<string, Patch>, ids: readonly string[], patch: Patch) {
  const next = new Map(before)
  for (const id of ids) {
    const old = next.get(id)
    next.set(
      id,
      patch === 'gone' || old === 'gone' || old === undefined ? patch : { ...old, ...patch },
    )
  }
  return next
}

function withoutPatches(before: ReadonlyMap<string, Patch>, ids: readonly string[]) {
  const next = new Map(before)
  for (const id of ids) next.delete(id)
  return next
}
