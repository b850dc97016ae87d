'use client'

import { useCallback, useEffect, useRef } from 'react'
import { State } from '../../ui/state.tsx'
import { Picture } from './player/picture.tsx'
import type { Player } from './player/player.ts'
import { Scrubber } from './player/scrubber.tsx'
import { Transport } from './player/transport.tsx'
import type { RecordingSource } from './player/load-recording.ts'
import { useRecording } from './player/use-recording.ts'
import type { ReplayError } from './timeline/steps.ts'
import styles from './clip.module.css'

/** The clip plays from this long before the error: enough to see its cause. */
const beforeMs = 5_000

/** The clip's cursor on the clock of the error: ms, 0 at the error, negative before it. */
export interface ClipCursor {
  at(): number
  /** Hears every move. */
  onMove(listener: () => void): () => void
  seek(at: number): void
}

/**
 * Draws the seconds before an error: the same player, small, with its cursor on `errorAt` (ms since the epoch, the
 * client's clock); played, it begins shortly before. `errors` are drawn as signs; keep what is given
 * stable between draws.
 */
export function ReplayClip(props: {
  readonly source: RecordingSource
  readonly errors: readonly ReplayError[]
  readonly errorAt: number
  /** Called with the clip's cursor once there is one: the steps beside the clip follow it. */
  readonly onCursor: (cursor: ClipCursor) => void
}) {
  const { errorAt, onCursor } = props
  const startAt = useCallback((startedAt: number) => Math.max(0, errorAt - startedAt), [errorAt])
  const loaded = useRecording({
    source: props.source,
    errors: props.errors,
    startAt,
    playBeforeMs: beforeMs,
  })
  const { player } = loaded
  useEffect(() => {
    if (player !== null) onCursor(cursorAround(player, errorAt))
  }, [player, errorAt, onCursor])
  if (loaded.failure !== null && loaded.player === null) {
    return (
      <div className={styles['clip']}>
        <State kind="failed" title="The recording could not be loaded">
          {loaded.failure}
        </State>
      </div>
    )
  }
  return (
    <div className={styles['clip']}>
      {loaded.player === null ? (
        <div className={styles['shot']} role="status" aria-label="Loading the recording" />
      ) : (
        <Small player={loaded.player} />
      )}
    </div>
  )
}

function cursorAround(player: Player, errorAt: number): ClipCursor {
  const offset = () => errorAt - player.timeline().recording.startedAt
  return {
    at: () => player.at() - offset(),
    onMove: (listener) => player.onMove(() => listener()),
    seek: (at) => player.seek(at + offset()),
  }
}

function Small(props: { readonly player: Player }) {
  const { player } = props
  const screen = useRef<HTMLDivElement>(null)
  return (
    <>
      <div ref={screen} className={styles['shot']}>
        <Picture player={player} label="The page in the seconds before" />
      </div>
      <Scrubber player={player} isSmall />
      <Transport player={player} screen={screen} isSmall />
    </>
  )
}
