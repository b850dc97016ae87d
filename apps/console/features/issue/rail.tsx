'use client'

import type { ApiIssueDetail } from '@afterimage/protocol/api/issue'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { ClockTime, RelativeTime } from '../../ui/clock.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Count } from '../../ui/number.tsx'
import { AssignMenu, type Member } from '../stream/assign-menu.tsx'
import { shortVersion } from '../stream/lede.ts'
import styles from './rail.module.css'

/** Draws the issue's side column: counts, times, release, assignee and history. */
export function Rail(props: {
  readonly issue: ApiIssueDetail
  readonly members: readonly Member[]
  readonly onAssign: (member: Member | null) => void
  readonly isAssigning: boolean
  readonly onAssigning: (isOpen: boolean) => void
  readonly releaseHref: (release: string) => string
  readonly activity: ReactNode
  readonly contents: readonly {
    readonly id: string
    readonly label: string
    readonly count?: number | undefined
  }[]
}) {
  const { issue } = props
  return (
    <aside className={styles['rail']} aria-label="About this issue">
      <div className={styles['block']}>
        <Counts issue={issue} />
      </div>
      {issue.firstRelease === null ? null : (
        <div className={styles['block']}>
          <h3>First bad release</h3>
          <Link
            href={props.releaseHref(issue.firstRelease.version)}
            className={styles['release']}
            title={issue.firstRelease.version}
          >
            {shortVersion(issue.firstRelease.version)}
          </Link>
        </div>
      )}
      <div className={styles['block']}>
        <h3>Assignee</h3>
        <AssignMenu
          members={props.members}
          assignee={issue.assignedTo?.id ?? null}
          onAssign={props.onAssign}
          isOpen={props.isAssigning}
          onOpenChange={props.onAssigning}
          trigger={
            <button type="button" className={styles['assignee']}>
              <Avatar name={issue.assignedTo?.name ?? null} />
              {issue.assignedTo?.name ?? 'Nobody yet'}
            </button>
          }
        />
      </div>
      <div className={styles['block']}>{props.activity}</div>
      <nav className={styles['contents']} aria-label="On this page">
        <h3>On this page</h3>
        {props.contents.map((entry) => (
          <a key={entry.id} href={`#${entry.id}`}>
            {entry.label}
            {entry.count === undefined ? null : <Count value={entry.count} />}
          </a>
        ))}
      </nav>
    </aside>
  )
}

function Counts(props: { readonly issue: ApiIssueDetail }) {
  const { issue } = props
  return (
    <dl className={styles['counts']}>
      <div>
        <dt>Events</dt>
        <dd className={styles['large']}>
          <Count value={Number(issue.count)} />
        </dd>
      </div>
      <div>
        <dt>People</dt>
        <dd className={styles['large']}>
          <Count value={issue.userCount} />
        </dd>
      </div>
      <Seen label="First seen" at={issue.firstSeen} release={issue.firstRelease?.version ?? null} />
      <Seen label="Last seen" at={issue.lastSeen} release={issue.lastRelease?.version ?? null} />
    </dl>
  )
}

function Seen(props: {
  readonly label: string
  readonly at: string
  readonly release: string | null
}) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        <RelativeTime at={props.at} />
        <small>
          <ClockTime at={props.at} />
          {props.release === null ? null : `, ${shortVersion(props.release)}`}
        </small>
      </dd>
    </div>
  )
}
