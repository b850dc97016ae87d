'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { Archive, Check, RotateCcw, UserPlus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { AssignMenu, type Member } from './assign-menu.tsx'
import styles from './bulk-bar.module.css'

/** Issues changed at once, the API's limit for one request. */
export const SELECTED_MAX = 1000

/** Replaces the table's head while rows are selected; shows the count before any action. */
export function BulkBar(props: {
  readonly selected: readonly ApiIssue[]
  readonly shown: number
  /** Issues on all pages that match; null when they were not counted. */
  readonly matching: number | null
  readonly members: readonly Member[]
  /** Resolves; opens again when none of them is open. */
  readonly onToggle: () => void
  readonly onArchive: () => void
  readonly onAssign: (member: Member | null) => void
  readonly onAll: () => void
  /** Selects those of the other pages too. */
  readonly onMatching: () => void
  readonly onNone: () => void
}) {
  const { selected } = props
  const events = selected.reduce((sum, issue) => sum + Number(issue.count), 0)
  const people = selected.reduce((sum, issue) => sum + issue.userCount, 0)
  const isAllClosed = selected.every((issue) => issue.status !== 'unresolved')
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Selected issues">
      <Checkbox
        label="Select all"
        state={selected.length >= props.shown ? 'on' : 'mixed'}
        onChange={(isOn) => (isOn ? props.onAll() : props.onNone())}
      />
      <b className={styles['count']} aria-live="polite">
        {exactNumber(selected.length)} selected
      </b>
      {isAllClosed ? (
        <Button onClick={props.onToggle}>
          <RotateCcw size={14} aria-hidden />
          Open again <Kbd>e</Kbd>
        </Button>
      ) : (
        <Button onClick={props.onToggle}>
          <Check size={14} aria-hidden />
          Resolve <Kbd>e</Kbd>
        </Button>
      )}
      <Button onClick={props.onArchive}>
        <Archive size={14} aria-hidden />
        Archive <Kbd>i</Kbd>
      </Button>
      <AssignMenu
        members={props.members}
        assignee={null}
        onAssign={props.onAssign}
        trigger={
          <Button>
            <UserPlus size={14} aria-hidden />
            Assign
          </Button>
        }
      />
      <span className={styles['sum']}>
        {exactNumber(events)} {events === 1 ? 'event' : 'events'}, {exactNumber(people)}{' '}
        {people === 1 ? 'person' : 'people'}
      </span>
      <More {...props} />
      <Button isIcon aria-label="Clear the selection" onClick={props.onNone}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}

/** Offers the rest of the page first, then the other pages, and always names the scope. */
function More(props: Parameters<typeof BulkBar>[0]) {
  const { selected, shown, matching } = props
  if (selected.length < shown) {
    return (
      <button type="button" className={styles['all']} onClick={props.onAll}>
        Select all {shown}
        {matching === null || matching <= shown ? '' : ' of this page'}
      </button>
    )
  }
  if (matching === null || selected.length >= Math.min(matching, SELECTED_MAX)) return null
  return (
    <button type="button" className={styles['all']} onClick={props.onMatching}>
      {matching > SELECTED_MAX
        ? `Select the first ${exactNumber(SELECTED_MAX)} of ${exactNumber(matching)} that match`
        : `Select all ${exactNumber(matching)} that match`}
    </button>
  )
}
