'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { Archive, Check, CirclePlay, MessageSquare, UserPlus } from 'lucide-react'
import { Sparkline } from '../../chart/sparkline.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { LevelIcon } from '../../ui/marker-icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Count } from '../../ui/number.tsx'
import { Row } from '../../ui/row.tsx'
import { IssueState } from './issue-state.tsx'
import { titleParts, whereOf } from './issue-title.ts'
import { shortVersion } from './lede.ts'
import { AssignMenu, type Member } from './assign-menu.tsx'
import styles from './issue-row.module.css'

export interface IssueRowProps {
  readonly issue: ApiIssue
  readonly href: string
  readonly newestRelease: string | null
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly members: readonly Member[]
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void
  readonly onResolve: () => void
  readonly onArchive: () => void
  readonly onAssign: (member: Member | null) => void
  /** Open under the keyboard's `a`. */
  readonly isAssigning: boolean
  readonly onAssigning: (isOpen: boolean) => void
}

/** One issue in 48px (60 on a phone). The title is the link; the row's other parts act. */
export function IssueRow(props: IssueRowProps) {
  const { issue } = props
  const { kind, text } = titleParts(issue)
  return (
    <Row
      className={styles['row']}
      data-cursor={props.isCursor}
      data-selected={props.isSelected}
      data-issue={issue.id}
    >
      <span className={styles['check']}>
        <Checkbox
          label={`Select ${issue.shortId}`}
          state={props.isSelected ? 'on' : 'off'}
          onChange={(isOn, event) =>
            props.onSelect(isOn, event instanceof MouseEvent && event.shiftKey)
          }
        />
      </span>
      <span className={styles['level']}>
        <LevelIcon level={issue.level} />
      </span>
      <div className={styles['what']}>
        <Link className={styles['title']} href={props.href} prefetch={false}>
          {kind === null ? null : <b>{kind}</b>} {text}
        </Link>
        <SubLine issue={issue} />
        <QuickActions {...props} />
      </div>
      <Since release={issue.firstRelease?.version ?? null} newest={props.newestRelease} />
      <span className={styles['spark']}>
        <Sparkline
          values={(issue.stats['24h'] ?? []).map(([, count]) => count)}
          label="Events by the hour, last 24 hours"
        />
      </span>
      <Count className={styles['events'] ?? ''} value={Number(issue.count)} />
      <Count className={styles['people'] ?? ''} value={issue.userCount} />
      <span className={styles['seen']}>
        <RelativeTime at={issue.lastSeen} />
        <RelativeTime at={issue.firstSeen} form="age" className={styles['age'] ?? ''} />
      </span>
      <span className={styles['who']}>
        <AssignMenu
          members={props.members}
          assignee={issue.assignedTo?.id ?? null}
          onAssign={props.onAssign}
          isOpen={props.isAssigning}
          onOpenChange={props.onAssigning}
          trigger={
            <button
              type="button"
              className={styles['assignee']}
              aria-label={
                issue.assignedTo === null ? 'Assign' : `Assigned to ${issue.assignedTo.name}`
              }
            >
              <Avatar name={issue.assignedTo?.name ?? null} />
            </button>
          }
        />
      </span>
    </Row>
  )
}

function SubLine(props: { readonly issue: ApiIssue }) {
  const { issue } = props
  const where = whereOf(issue)
  return (
    <div className={styles['sub']}>
      <IssueState issue={issue} />
      <code>{issue.shortId}</code>
      {where === '' ? null : <code className={styles['where']}>{where}</code>}
      {issue.replayCount === 0 ? null : (
        <span
          className={styles['extra']}
          title={`${issue.replayCount} ${issue.replayCount === 1 ? 'replay' : 'replays'}`}
        >
          <CirclePlay size={12} aria-label="Replays" />
          <Count value={issue.replayCount} />
        </span>
      )}
      {issue.numComments === 0 ? null : (
        <span
          className={styles['extra']}
          title={`${issue.numComments} ${issue.numComments === 1 ? 'comment' : 'comments'}`}
        >
          <MessageSquare size={12} aria-label="Comments" />
          {issue.numComments}
        </span>
      )}
    </div>
  )
}

/** The first bad release: ink when it is the newest, since then the deploy is the suspect. */
function Since(props: { readonly release: string | null; readonly newest: string | null }) {
  if (props.release === null) return <span className={styles['since']} />
  return (
    <code
      className={styles['since']}
      data-newest={props.release === props.newest}
      title={`First seen in ${props.release}`}
    >
      {shortVersion(props.release)}
    </code>
  )
}

function QuickActions(props: IssueRowProps) {
  const isOpen = props.issue.status === 'unresolved'
  return (
    <div className={styles['quick']}>
      <Button
        isIcon
        tabIndex={-1}
        aria-label={isOpen ? 'Resolve' : 'Open again'}
        title={isOpen ? 'Resolve (e)' : 'Open again (e)'}
        onClick={props.onResolve}
      >
        <Check size={14} aria-hidden />
      </Button>
      <Button
        isIcon
        tabIndex={-1}
        aria-label="Archive"
        title="Archive (i)"
        onClick={props.onArchive}
      >
        <Archive size={14} aria-hidden />
      </Button>
      <Button
        isIcon
        tabIndex={-1}
        aria-label="Assign"
        title="Assign (a)"
        onClick={() => props.onAssigning(true)}
      >
        <UserPlus size={14} aria-hidden />
      </Button>
    </div>
  )
}
