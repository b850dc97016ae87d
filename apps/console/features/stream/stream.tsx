'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import type { Member } from './assign-menu.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { archiveChange, assignChange, reopenChange, resolveChange } from './changes.ts'
import { FreshLine } from './fresh-line.tsx'
import { IssueRow } from './issue-row.tsx'
import rowStyles from './issue-row.module.css'
import { useIssueChanges, type UpdateIssues } from './use-issue-changes.ts'
import styles from './stream.module.css'

interface StreamProps {
  readonly issues: readonly ApiIssue[]
  /** The query the list answers: it decides which rows leave when they change. */
  readonly query: string
  /** The part of an issue's address after its id. */
  readonly issueSearch: string
  readonly newestRelease: string | null
  readonly members: readonly Member[]
  /** ms, when the server drew the list. */
  readonly drawnAt: number
  readonly update: UpdateIssues
  /** The first page as it is now; null when it could not be read. */
  readonly poll: () => Promise<readonly ApiIssue[] | null>
  /** Stands in place of the rows when there are none. */
  readonly nothing: ReactNode
}

/** The table of issues: rows, selection, keyboard, changes shown before they are confirmed. */
export function Stream(props: StreamProps) {
  const { go } = useNavigation()
  const { shown, change } = useIssueChanges(props.issues, props.update)
  const [cursor, setCursor] = useState(-1)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [assigning, setAssigning] = useState<string | null>(null)
  const anchor = useRef(-1)
  const list = useRef<HTMLOListElement>(null)
  const chosen = shown.filter((issue) => selected.has(issue.id))
  const at = Math.min(cursor, shown.length - 1)
  const current = shown[at] ?? null
  const href = (issue: ApiIssue) => `/issues/${issue.id}${props.issueSearch}`

  const select = (index: number, isOn: boolean, isRange: boolean) => {
    const from = isRange && anchor.current >= 0 ? anchor.current : index
    const next = new Set(selected)
    for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
      const id = shown[i]?.id
      if (id === undefined) continue
      if (isOn) next.add(id)
      else next.delete(id)
    }
    anchor.current = index
    setSelected(next)
  }
  const apply = useCallback(
    (make: typeof resolveChange, issues: readonly ApiIssue[]) => {
      if (issues.length === 0) return
      void change(make(issues, props.query))
      setSelected(new Set())
    },
    [change, props.query],
  )
  const toggle = (issues: readonly ApiIssue[]) =>
    apply(
      issues.every((issue) => issue.status !== 'unresolved') ? reopenChange : resolveChange,
      issues,
    )
  const targets = chosen.length > 0 ? chosen : current === null ? [] : [current]
  useKeys({
    j: () => setCursor(moveTo(list.current, Math.min(shown.length - 1, at + 1))),
    k: () => setCursor(moveTo(list.current, Math.max(0, at - 1))),
    ArrowDown: () => setCursor(moveTo(list.current, Math.min(shown.length - 1, at + 1))),
    ArrowUp: () => setCursor(moveTo(list.current, Math.max(0, at - 1))),
    x: () => {
      if (current !== null) select(at, !selected.has(current.id), false)
    },
    e: () => toggle(targets),
    i: () => apply(archiveChange, targets),
    a: () => setAssigning(current?.id ?? null),
    Enter: () => {
      if (current !== null) go(href(current))
    },
    Escape: () => setSelected(new Set()),
  })

  return (
    <section className={styles['stream']} aria-label="Issues">
      {chosen.length > 0 ? (
        <BulkBar
          selected={chosen}
          shown={shown.length}
          members={props.members}
          onResolve={() => apply(resolveChange, chosen)}
          onReopen={() => apply(reopenChange, chosen)}
          onArchive={() => apply(archiveChange, chosen)}
          onAssign={(member) => apply((issues) => assignChange(issues, member), chosen)}
          onAll={() => setSelected(new Set(shown.map((issue) => issue.id)))}
          onNone={() => setSelected(new Set())}
        />
      ) : (
        <StreamHead onAll={() => setSelected(new Set(shown.map((issue) => issue.id)))} />
      )}
      <FreshLine issues={props.issues} drawnAt={props.drawnAt} poll={props.poll} />
      {shown.length === 0 ? (
        props.nothing
      ) : (
        <ol ref={list}>
          {shown.map((issue, index) => (
            <IssueRow
              key={issue.id}
              issue={issue}
              href={href(issue)}
              newestRelease={props.newestRelease}
              members={props.members}
              isCursor={index === at}
              isSelected={selected.has(issue.id)}
              isAssigning={assigning === issue.id}
              onAssigning={(isOpen) => setAssigning(isOpen ? issue.id : null)}
              onSelect={(isOn, isRange) => select(index, isOn, isRange)}
              onResolve={() => toggle([issue])}
              onArchive={() => apply(archiveChange, [issue])}
              onAssign={(member) => apply((issues) => assignChange(issues, member), [issue])}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

function StreamHead(props: { readonly onAll: () => void }) {
  return (
    <div className={rowStyles['head']}>
      <span className={rowStyles['check']}>
        <Checkbox label="Select all" state="off" onChange={props.onAll} />
      </span>
      <span />
      <span>Issue</span>
      <span>Since</span>
      <span>Last 24 hours</span>
      <span>Events</span>
      <span>People</span>
      <span>Seen</span>
      <span />
    </div>
  )
}

function moveTo(list: HTMLElement | null, index: number): number {
  list?.children[index]?.scrollIntoView({ block: 'nearest' })
  return index
}
