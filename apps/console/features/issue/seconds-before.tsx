'use client'

import { Fragment, useState, type ReactNode } from 'react'
import { LevelIcon, MarkerIcon } from '../../ui/marker-icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { offsetWords, type Step, type StepKind } from './steps.ts'
import { ValueTree } from './value-tree.tsx'
import styles from './seconds-before.module.css'

/** So many steps nearest to the error are shown until one asks for all. */
const STEPS_SHOWN = 24

const FILTERS: readonly { readonly id: 'all' | StepKind; readonly label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'actions', label: 'Actions' },
  { id: 'console', label: 'Console' },
  { id: 'network', label: 'Network' },
]

/**
 * The clip of the replay and the breadcrumbs on one clock, the error at zero. Without a replay the
 * steps take the full width.
 */
export function SecondsBefore(props: {
  readonly steps: readonly Step[]
  readonly error: { readonly kind: string | null; readonly text: string; readonly level: string }
  /** The replay at the error, drawn by its own feature; null without one. */
  readonly clip: ReactNode | null
  readonly replayHref: string | null
}) {
  const [filter, setFilter] = useState<string>('all')
  const [isFull, setIsFull] = useState(false)
  const { steps, clip } = props
  const matching = steps.filter((step) => filter === 'all' || step.kind === filter)
  const hidden = isFull ? 0 : Math.max(0, matching.length - STEPS_SHOWN)
  const shown = matching.slice(hidden)
  const later = shown.findIndex((step) => step.at !== null && step.at > 50)
  const note = [
    clip === null ? '' : 'replay and',
    `${exactNumber(steps.length)} ${steps.length === 1 ? 'breadcrumb' : 'breadcrumbs'}`,
    clip === null ? '' : 'on one clock',
  ]
  return (
    <Section
      id="seconds"
      title="The seconds before"
      note={note.filter((part) => part !== '').join(' ')}
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
            The client recorded nothing before this error.
          </State>
        ) : (
          <ol className={styles['steps']}>
            {hidden === 0 ? null : (
              <li className={styles['more']}>
                <button type="button" onClick={() => setIsFull(true)}>
                  {exactNumber(hidden)} earlier {hidden === 1 ? 'step' : 'steps'}
                </button>
              </li>
            )}
            {shown.map((step, index) => (
              <Fragment key={index}>
                {index === later ? <NowStep {...props.error} /> : null}
                <StepRow step={step} isLater={later >= 0 && index >= later} />
              </Fragment>
            ))}
            {later < 0 ? <NowStep {...props.error} /> : null}
          </ol>
        )}
      </div>
    </Section>
  )
}

function NowStep(props: {
  readonly kind: string | null
  readonly text: string
  readonly level: string
}) {
  return (
    <li className={styles['step']} data-now="true" aria-current="true">
      <span className={styles['time']}>0.0 s</span>
      <LevelIcon level={props.level} />
      <span className={styles['what']}>
        {props.kind === null ? null : <b>{props.kind}</b>} {props.text}
      </span>
      <span className={styles['result']}>now</span>
    </li>
  )
}

function StepRow(props: { readonly step: Step; readonly isLater: boolean }) {
  const { step } = props
  const [isOpen, setIsOpen] = useState(false)
  const canOpen = step.data !== null && Object.keys(step.data).length > 0
  const parts = (
    <>
      <span className={styles['time']}>{offsetWords(step.at)}</span>
      <MarkerIcon kind={step.marker} />
      <span className={styles['what']} title={step.object}>
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
      {canOpen ? (
        <button
          type="button"
          className={styles['step']}
          data-later={props.isLater}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {parts}
        </button>
      ) : (
        <div className={styles['step']} data-later={props.isLater}>
          {parts}
        </div>
      )}
      {isOpen && step.data !== null ? (
        <div className={styles['data']}>
          <ValueTree value={step.data} />
        </div>
      ) : null}
    </li>
  )
}
