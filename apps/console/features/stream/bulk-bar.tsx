'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { Archive, Check, RotateCcw, UserPlus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { AssignMenu, type Member } from './assign-menu.tsx'
import styles from './bulk-bar.module.css'

/** Replaces the table's head while rows are selected; says the sum before anything is done. */
export function BulkBar(props: {
  readonly selected: readonly ApiIssue[]
  readonly shown: number
  readonly members: readonly Member[]
  /** Resolves; opens again when none of them is open. */
  readonly onToggle: () => void
  readonly onArchive: () => void
  readonly onAssign: (member: Member | null) => void
  readonly onAll: () => void
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
        state={selected.length === props.shown ? 'on' : 'mixed'}
        onChange={(isOn) => (isOn ? props.onAll() : props.onNone())}
      />
      <b className={styles['count']} aria-live="polite">
        {selected.length} selected
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
      {selected.length < props.shown ? (
        <button type="button" className={styles['all']} onClick={props.onAll}>
          Select all {props.shown}
        </button>
      ) : null}
      <Button isIcon aria-label="Select none" onClick={props.onNone}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}
