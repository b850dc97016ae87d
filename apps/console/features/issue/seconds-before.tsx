'use client'

import { Fragment, useState, useSyncExternalStore, type ReactNode } from 'react'
import { LevelIcon, MarkerIcon } from '../../ui/marker-icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import type { ClipCursor } from '../replay/clip.tsx'
import { offsetWords, type Step, type StepKind } from './steps.ts'
import { ValueTree } from './value-tree.tsx'
import styles from './seconds-before.module.css'

/** Steps shown at first, the nearest to the error. */
const STEPS_SHOWN = 24

/** A step this soon after the error still counts as before it: clocks are rounded. */
const AT_ERROR_MS = 50

/** Index of the cursor's row when no step is under it: on the error, or before everything. */
const ON_ERROR = -2

const FILTERS: readonly { readonly id: 'all' | StepKind; readonly label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'actions', label: 'Actions' },
  { id: 'console', label: 'Console' },
  { id: 'network', label: 'Network' },
]

/**
 * Draws the clip of the replay and the breadcrumbs on one clock, the error at zero. Without a replay the
 * steps take the full width.
 */
export function SecondsBefore(props: {
  readonly steps: readonly Step[]
  readonly error: { readonly kind: string | null; readonly text: string; readonly level: string }
  /** The replay at the error, drawn by its own feature; null without a replay. */
  readonly clip: ReactNode | null
  /** The clip's cursor: its row is marked, and a click on a row moves it. Null: it stays on the error. */
  readonly cursor: ClipCursor | null
  readonly replayHref: string | null
}) {
  const [filter, setFilter] = useState<string>('all')
  const [isFull, setIsFull] = useState(false)
  const { steps, clip } = props
  const matching = steps.filter((step) => filter === 'all' || step.kind === filter)
  const hidden = isFull ? 0 : Math.max(0, matching.length - STEPS_SHOWN)
  const shown = matching.slice(hidden)
  const firstLater = shown.findIndex((step) => step.at !== null && step.at > AT_ERROR_MS)
  const later = firstLater < 0 ? shown.length : firstLater
  const current = useCurrent(props.cursor, shown, later)
  const seek = (at: number | null) => at !== null && props.cursor?.seek(at)
  const errorRow = (
    <ErrorRow {...props.error} isCurrent={current === ON_ERROR} onSeek={() => seek(0)} />
  )
  return (
    <Section
      id="seconds"
      title="The seconds before"
      note={noteOf(steps.length, clip !== null)}
      tools={
        <>
          {steps.length === 0 ? null : (
            <Segments
              label="Which steps"
              options={FILTERS}
              selected={filter}
              onSelect={setFilter}
            />
          )}
          {props.replayHref === null ? null : (
            <Link href={props.replayHref}>Open the replay ↗</Link>
          )}
        </>
      }
    >
      <div className={styles['seconds']} data-clip={clip !== null}>
        {clip === null ? null : <div className={styles['clip']}>{clip}</div>}
        {steps.length === 0 ? (
          <State kind="empty" title="No breadcrumbs">
            The client recorded no steps before this error.
          </State>
        ) : (
          <ol className={styles['steps']}>
            {hidden === 0 ? null : <EarlierSteps count={hidden} onShow={() => setIsFull(true)} />}
            {shown.map((step, index) => (
              <Fragment key={index}>
                {index === later ? errorRow : null}
                <StepRow
                  step={step}
                  isLater={index >= later}
                  isCurrent={index === current}
                  onSeek={() => seek(step.at)}
                />
              </Fragment>
            ))}
            {later === shown.length ? errorRow : null}
          </ol>
        )}
      </div>
    </Section>
  )
}

function EarlierSteps(props: { readonly count: number; readonly onShow: () => void }) {
  return (
    <li className={styles['more']}>
      <button type="button" onClick={props.onShow}>
        {exactNumber(props.count)} earlier {props.count === 1 ? 'step' : 'steps'}
      </button>
    </li>
  )
}

/** Names the section's sources: "replay and 46 breadcrumbs on one clock". */
function noteOf(steps: number, hasClip: boolean): string | undefined {
  if (steps === 0) return hasClip ? 'the replay' : undefined
  const crumbs = `${exactNumber(steps)} ${steps === 1 ? 'breadcrumb' : 'breadcrumbs'}`
  return hasClip ? `replay and ${crumbs} on one clock` : crumbs
}

/** The row under the cursor: an index of `steps`, `ON_ERROR`, or -1 before all. Those from `later` follow the error. */
function useCurrent(cursor: ClipCursor | null, steps: readonly Step[], later: number): number {
  const read = () => (cursor === null ? ON_ERROR : rowUnder(cursor.at(), steps, later))
  return useSyncExternalStore(cursor?.onMove ?? listenToNothing, read, read)
}

function rowUnder(at: number, steps: readonly Step[], later: number): number {
  // A click lands on a row's own time, which the clock may have rounded.
  const reached = (step: Step) => step.at !== null && step.at <= at + 1
  const after = steps.findLastIndex((step, index) => index >= later && reached(step))
  if (after >= 0) return after
  if (at >= -1) return ON_ERROR
  return steps.findLastIndex((step, index) => index < later && reached(step))
}

function listenToNothing(): () => void {
  return () => {}
}

function ErrorRow(props: {
  readonly kind: string | null
  readonly text: string
  readonly level: string
  readonly isCurrent: boolean
  readonly onSeek: () => void
}) {
  return (
    <li>
      <button
        type="button"
        className={styles['step']}
        data-now={props.isCurrent}
        aria-current={props.isCurrent}
        onClick={props.onSeek}
      >
        <span className={styles['time']}>0.0 s</span>
        <LevelIcon level={props.level} />
        <span className={styles['what']}>
          {props.kind === null ? null : <b>{props.kind}</b>} {props.text}
        </span>
        <span className={styles['result']}>{props.isCurrent ? 'now' : ''}</span>
      </button>
    </li>
  )
}

function StepRow(props: {
  readonly step: Step
  readonly isLater: boolean
  readonly isCurrent: boolean
  readonly onSeek: () => void
}) {
  const { step } = props
  const [isOpen, setIsOpen] = useState(false)
  const canOpen = step.data !== null && Object.keys(step.data).length > 0
  const marks = {
    'data-later': props.isLater && !props.isCurrent,
    'data-now': props.isCurrent,
    'aria-current': props.isCurrent,
  }
  const act = () => {
    props.onSeek()
    if (canOpen) setIsOpen(!isOpen)
  }
  const parts = (
    <>
      <span className={styles['time']}>{offsetWords(step.at)}</span>
      <MarkerIcon kind={step.marker} />
      <span className={styles['what']} title={step.path ?? step.object}>
        {step.verb === null ? null : <span className={styles['verb']}>{step.verb} </span>}
        {step.marker === 'navigation' ? <b>{step.object}</b> : step.object}
        {step.arrow === null ? null : (
          <>
            {' → '}
            <b>{step.arrow}</b>
          </>
        )}
      </span>
      <span className={styles['result']} data-failed={step.isFailed}>
        {step.result}
      </span>
    </>
  )
  return (
    <li>
      <button
        type="button"
        className={styles['step']}
        {...marks}
        {...(canOpen ? { 'aria-expanded': isOpen } : {})}
        onClick={act}
      >
        {parts}
      </button>
      {isOpen && step.data !== null ? (
        <div className={styles['data']}>
          <ValueTree value={step.data} />
        </div>
      ) : null}
    </li>
  )
}
