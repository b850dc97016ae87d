'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useState, type ReactNode } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Member } from './assign-menu.tsx'
import { BulkBar, SELECTED_MAX } from './bulk-bar.tsx'
import { archiveChange, assignChange, reopenChange, resolveChange } from './changes.ts'
import { FreshLine } from './fresh-line.tsx'
import { IssueRow } from './issue-row.tsx'
import rowStyles from './issue-row.module.css'
import { useIssueChanges, type UpdateIssues } from './use-issue-changes.ts'
import { useSelection, type Selection } from './use-selection.ts'
import { useStreamKeys } from './use-stream-keys.ts'
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
  /** Issues on all pages; null when they were not counted. */
  readonly matching: number | null
  /** The issues of all pages, at most so many; null when they could not be read. */
  readonly readAll: (most: number) => Promise<readonly ApiIssue[] | null>
  /** The first page as it is now; null when it could not be read. */
  readonly poll: () => Promise<readonly ApiIssue[] | null>
  /** Shown in place of the rows when the list is empty. */
  readonly nothing: ReactNode
}

/** The table of issues: rows, selection, keyboard, changes shown before they are confirmed. */
export function Stream(props: StreamProps) {
  const { go } = useNavigation()
  const { shown, change } = useIssueChanges(props.issues, props.update)
  const selection = useSelection(shown)
  const [assigning, setAssigning] = useState<string | null>(null)
  const href = (issue: ApiIssue) => `/issues/${issue.id}${props.issueSearch}`
  const apply = (make: typeof resolveChange, issues: readonly ApiIssue[]) => {
    if (issues.length === 0) return
    void change(make(issues, props.query))
    selection.none()
  }
  const assign = (member: Member | null, issues: readonly ApiIssue[]) =>
    apply((which) => assignChange(which, member), issues)
  const selectMatching = useSelectMatching(selection, props.readAll)
  const toggle = (issues: readonly ApiIssue[]) => {
    const isClosed = issues.every((issue) => issue.status !== 'unresolved')
    apply(isClosed ? reopenChange : resolveChange, issues)
  }
  const { at, list } = useStreamKeys({
    shown,
    selection,
    onToggle: toggle,
    onArchive: (issues) => apply(archiveChange, issues),
    onAssign: (issue) => setAssigning(issue.id),
    onOpen: (issue) => go(href(issue)),
  })
  return (
    <section className={styles['stream']} aria-label="Issues">
      {selection.chosen.length > 0 ? (
        <BulkBar
          selected={selection.chosen}
          shown={shown.length}
          matching={props.matching}
          members={props.members}
          onToggle={() => toggle(selection.chosen)}
          onArchive={() => apply(archiveChange, selection.chosen)}
          onAssign={(member) => assign(member, selection.chosen)}
          onAll={selection.all}
          onMatching={selectMatching}
          onNone={selection.none}
        />
      ) : (
        <StreamHead onAll={selection.all} />
      )}
      <FreshLine issues={props.issues} drawnAt={props.drawnAt} poll={props.poll} />
      {shown.length === 0 ? props.nothing : null}
      <ol ref={list}>
        {shown.map((issue, index) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            href={href(issue)}
            newestRelease={props.newestRelease}
            members={props.members}
            isCursor={index === at}
            isSelected={selection.has(issue.id)}
            isAssigning={assigning === issue.id}
            onAssigning={(isOpen) => setAssigning(isOpen ? issue.id : null)}
            onSelect={(isOn, isRange) => selection.set(index, isOn, isRange)}
            onResolve={() => toggle([issue])}
            onArchive={() => apply(archiveChange, [issue])}
            onAssign={(member) => assign(member, [issue])}
          />
        ))}
      </ol>
    </section>
  )
}

function useSelectMatching(selection: Selection, readAll: StreamProps['readAll']): () => void {
  const toast = useToast()
  const read = async () => {
    const issues = await readAll(SELECTED_MAX)
    if (issues !== null) return selection.allOf(issues)
    toast({ text: 'The other pages could not be read.', tone: 'failed' })
  }
  return () => void read()
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
