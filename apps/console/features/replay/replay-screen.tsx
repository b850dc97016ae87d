'use client'

import type { ApiReplay } from '@afterimage/protocol/api/replay'
import { ArrowLeft, Link2, ShieldCheck } from 'lucide-react'
import { useCallback, useEffect, type ReactNode } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { State } from '../../ui/state.tsx'
import { LowerPane } from './panels/lower-pane.tsx'
import { UpperPane } from './panels/upper-pane.tsx'
import type { Player } from './player/player.ts'
import { PlayerView } from './player/player-view.tsx'
import { useAt, useTimeline } from './player/use-player.ts'
import type { LoadedRecording, RecordingSource } from './player/load-recording.ts'
import { useRecording } from './player/use-recording.ts'
import { machineOf, personOf } from './replay-facts.ts'
import { clockSeconds, duration, formatOffset } from './timeline/clock.ts'
import { maskingWords } from './timeline/masking.ts'
import type { ReplayError } from './timeline/steps.ts'
import styles from './replay.module.css'

export interface ReplayScreenProps {
  readonly replay: ApiReplay
  readonly errors: readonly ReplayError[]
  readonly source: RecordingSource
  /** From `?t=`, ms since the start; null when the address does not say. */
  readonly startAt: number | null
  /** From `?at=`, ms since the epoch, as a span or an error gives it. `startAt` wins. */
  readonly moment?: number | null
  /** Address of the back arrow; null on a page of its own. */
  readonly backHref: string | null
  /** Further actions in the head: sharing. */
  readonly actions?: ReactNode
  /** Trace and issue links lead into the product, which a reader of a shared page may not enter. */
  readonly isShared?: boolean
}

/** The page of one replay: its head, the player, the panes. One cursor for all, and `?t=` in the address. */
export function ReplayScreen(props: ReplayScreenProps) {
  const { replay, errors, source } = props
  const { startAt: offset, moment = null } = props
  const startAt = useCallback(
    (startedAt: number) => offset ?? (moment === null ? 0 : Math.max(0, moment - startedAt)),
    [offset, moment],
  )
  const loaded = useRecording({ source, errors, startAt })
  return (
    <div className={styles['page']} data-shared={props.isShared === true}>
      <Head {...props} player={loaded.player} />
      <Progress loaded={loaded} />
      {loaded.player === null ? (
        <Waiting loaded={loaded} />
      ) : (
        <div className={styles['stage']}>
          <KeepTimeInAddress player={loaded.player} />
          <div className={styles['left']}>
            <Notes player={loaded.player} isComplete={loaded.isComplete} />
            <PlayerView player={loaded.player} />
          </div>
          <aside className={styles['panels']} aria-label="What happened">
            <UpperPane player={loaded.player} />
            <LowerPane
              player={loaded.player}
              traceIds={props.isShared === true ? [] : replay.trace_ids}
            />
          </aside>
        </div>
      )}
    </div>
  )
}

function Head(props: ReplayScreenProps & { readonly player: Player | null }) {
  const { replay } = props
  const machine = machineOf(replay)
  const release = replay.releases.at(-1)
  const rage = replay.count_rage_clicks
  const dead = replay.count_dead_clicks - rage
  return (
    <header className={styles['head']}>
      {props.backHref === null ? null : (
        <ButtonLink look="bare" isIcon href={props.backHref} aria-label="Back to replays">
          <ArrowLeft size={16} aria-hidden />
        </ButtonLink>
      )}
      <h1>{personOf(replay)}</h1>
      <span className={styles['facts']}>
        <span>
          {props.player === null ? (
            <b>{duration(replay.duration * 1000)}</b>
          ) : (
            <RecordedDuration player={props.player} />
          )}
          , <RelativeTime at={replay.started_at} />
        </span>
        {machine === null ? null : (
          <span>
            <b>{machine}</b>
          </span>
        )}
        {release === undefined ? null : (
          <span>
            <b>{release}</b>
          </span>
        )}
        <span>
          <b>{replay.count_urls}</b> {replay.count_urls === 1 ? 'page' : 'pages'}
        </span>
        {replay.count_errors === 0 ? null : (
          <Fact kind="error">{counted(replay.count_errors, 'error')}</Fact>
        )}
        {rage === 0 ? null : <Fact kind="rage">{rage} rage</Fact>}
        {dead <= 0 ? null : <Fact kind="debug">{counted(dead, 'dead click')}</Fact>}
        {props.player === null ? null : <MaskedFact player={props.player} />}
      </span>
      <span className={styles['grow']} />
      {props.player === null ? null : <LinkHere player={props.player} />}
      {props.actions}
    </header>
  )
}

/** Shows the playable duration, which is shorter than the replay's when a segment was lost. */
function RecordedDuration(props: { readonly player: Player }) {
  return <b>{duration(useTimeline(props.player).durationMs)}</b>
}

function Fact(props: { readonly kind: 'error' | 'rage' | 'debug'; readonly children: ReactNode }) {
  return (
    <span className={styles[props.kind]}>
      <MarkerIcon kind={props.kind} size={11} />
      {props.children}
    </span>
  )
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function MaskedFact(props: { readonly player: Player }) {
  const words = maskingWords(useTimeline(props.player).masking)
  return words === null ? null : (
    <span>
      <ShieldCheck size={13} aria-hidden className={styles['shield']} />
      {words}
    </span>
  )
}

function LinkHere(props: { readonly player: Player }) {
  const { player } = props
  const now = useAt(player, clockSeconds)
  return (
    <CopyButton icon={<Link2 size={14} aria-hidden />} text={() => addressAt(player.at())}>
      Link at {now}
    </CopyButton>
  )
}

function addressAt(at: number): string {
  const url = new URL(location.href)
  url.searchParams.delete('at')
  url.searchParams.set('t', formatOffset(at))
  return url.href
}

/** `?t=` says where the cursor came to rest, without a step in the history. */
function KeepTimeInAddress(props: { readonly player: Player }) {
  const { player } = props
  useEffect(
    () =>
      player.onRest((at) => window.history.replaceState(window.history.state, '', addressAt(at))),
    [player],
  )
  return null
}

function Progress(props: { readonly loaded: LoadedRecording }) {
  const { loaded, total, isComplete, failure } = props.loaded
  if (isComplete || failure !== null || total < 2) return null
  return (
    <div
      className={styles['progress']}
      role="progressbar"
      aria-label="Loading the recording"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={loaded}
    >
      <i style={{ width: `${(loaded / Math.max(1, total)) * 100}%` }} />
    </div>
  )
}

function Waiting(props: { readonly loaded: LoadedRecording }) {
  const { failure, isComplete } = props.loaded
  if (failure !== null) {
    return (
      <div className={styles['alone']}>
        <State kind="failed" title="The recording could not be loaded" isPage>
          {failure}
        </State>
      </div>
    )
  }
  return (
    <div className={styles['alone']} role="status">
      {isComplete ? null : <p className="visually-hidden">Loading the recording…</p>}
    </div>
  )
}

/** Returns the caveats that a reader must know before trusting the recording. */
function Notes(props: { readonly player: Player; readonly isComplete: boolean }) {
  const { recording } = useTimeline(props.player)
  const notes = [
    recording.undrawnMs > 0
      ? `The first ${duration(recording.undrawnMs)} cannot be drawn: the first full snapshot of the page comes later.`
      : '',
    props.isComplete && recording.missingSegments.length > 0
      ? `${counted(recording.missingSegments.length, 'segment')} never arrived: the page may jump.`
      : '',
  ].filter((note) => note !== '')
  if (notes.length === 0) return null
  return (
    <ul className={styles['notes']}>
      {notes.map((note) => (
        <li key={note}>
          <MarkerIcon kind="warning" size={11} /> {note}
        </li>
      ))}
    </ul>
  )
}
