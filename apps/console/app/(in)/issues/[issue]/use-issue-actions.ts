'use client'

import type { ApiEvent, ApiIssueDetail, ApiIssueUpdate } from '@afterimage/protocol/api'
import { useEffect, useMemo, useState } from 'react'
import {
  addComment,
  shareIssue,
  unshareIssue,
  updateIssues,
} from '../../../../data/issue-changes.ts'
import {
  ARCHIVE,
  REOPEN,
  RESOLVE,
  type IssueAct,
} from '../../../../features/issue/issue-actions.tsx'
import { issueMarkdown } from '../../../../features/issue/markdown.ts'
import { usePaletteActions } from '../../../../features/shell/palette.tsx'
import type { Member } from '../../../../features/stream/assign-menu.tsx'
import { assignChange } from '../../../../features/stream/changes.ts'
import { undoGroups } from '../../../../features/stream/use-issue-changes.ts'
import { useKeys } from '../../../../ui/keys.tsx'
import { useNavigation } from '../../../../ui/navigation.tsx'
import { useToast } from '../../../../ui/toast.tsx'

/** Returns the issue's actions: each is shown at once, sent, reported, and reverted on failure or undo. */
export function useIssueActions(given: ApiIssueDetail, event: ApiEvent | null) {
  const { refresh } = useNavigation()
  const { issue, change } = useOptimisticIssue(given)
  const [isAssigning, setIsAssigning] = useState(false)
  const [isSharing, setIsSharing] = useState(false)

  useEffect(() => {
    if (!given.hasSeen) void updateIssues([given.id], { hasSeen: true })
  }, [given.id, given.hasSeen])

  const act = ({ update, said }: IssueAct) =>
    void change(update, shownBy(update), `${given.shortId} ${said}`)
  const toggle = () => act(issue.status === 'unresolved' ? RESOLVE : REOPEN)
  const archive = () => act(ARCHIVE)
  const assign = () => setIsAssigning(true)
  const share = () => setIsSharing(true)
  useKeys({ e: toggle, i: archive, a: assign })
  useIssuePalette(given, issue.status, { toggle, archive, assign, share })

  const answered = async (
    answer: Promise<{ isOk: boolean; detail?: string }>,
  ): Promise<string | null> => {
    const result = await answer
    if (result.isOk) refresh()
    return result.isOk ? null : (result.detail ?? 'The change failed.')
  }
  return {
    issue,
    act,
    assign: (member: Member | null) => {
      const { update, said } = assignChange([given], member)
      const assignedTo = member === null ? null : { type: 'user' as const, ...member }
      void change(update, { assignedTo }, said)
    },
    isAssigning,
    setIsAssigning,
    isSharing,
    setIsSharing,
    comment: (text: string) => answered(addComment(given.id, text)),
    share: () => answered(shareIssue(given.id)),
    unshare: () => answered(unshareIssue(given.id)),
    markdown: () => issueMarkdown(issue, event, location.href),
  }
}

/** Returns the issue as it will be, until the server's answer replaces it. */
function useOptimisticIssue(given: ApiIssueDetail) {
  const { refresh } = useNavigation()
  const toast = useToast()
  const [patch, setPatch] = useState<{
    of: ApiIssueDetail
    change: Partial<ApiIssueDetail>
  } | null>(null)
  const change = async (update: ApiIssueUpdate, shown: Partial<ApiIssueDetail>, said: string) => {
    setPatch({ of: given, change: shown })
    const undo = async () => {
      setPatch(null)
      for (const group of undoGroups([given], update)) {
        const failed = await updateIssues(group.ids, group.update)
        if (failed !== null) toast({ text: `Could not be undone. ${failed}`, tone: 'failed' })
      }
      refresh()
    }
    toast({ text: said, undo: () => void undo() })
    const failed = await updateIssues([given.id], update)
    if (failed === null) return refresh()
    setPatch(null)
    toast({ text: `Nothing was changed. ${failed}`, tone: 'failed' })
  }
  return {
    issue: patch !== null && patch.of === given ? { ...given, ...patch.change } : given,
    change,
  }
}

type IssueKeys = Readonly<Record<'toggle' | 'archive' | 'assign' | 'share', () => void>>

function useIssuePalette(given: ApiIssueDetail, status: string, keys: IssueKeys): void {
  usePaletteActions(
    useMemo(
      () => ({
        name: given.shortId,
        group: {
          title: 'This issue',
          actions: [
            { id: 'resolve', label: 'Resolve, or open again', keys: ['e'], act: keys.toggle },
            {
              id: 'archive',
              label: 'Archive until it escalates',
              keys: ['i'],
              act: keys.archive,
            },
            { id: 'assign', label: 'Assign to…', keys: ['a'], act: keys.assign },
            { id: 'share', label: 'Share with a link…', act: keys.share },
          ],
        },
      }),
      // oxlint-disable-next-line react/exhaustive-deps -- the actions follow the issue as it is
      [given, status],
    ),
  )
}

function shownBy(update: ApiIssueUpdate): Partial<ApiIssueDetail> {
  const status = update.status === 'resolvedInNextRelease' ? 'resolved' : update.status
  if (status === undefined) return { substatus: update.substatus ?? 'ongoing' }
  return { status, substatus: update.substatus ?? (status === 'unresolved' ? 'ongoing' : null) }
}
