'use client'

import { useCallback, useEffect, useRef } from 'react'
import { State } from '../../ui/state.tsx'
import { Picture } from './player/picture.tsx'
import type { Player } from './player/player.ts'
import { Scrubber } from './player/scrubber.tsx'
import { Transport } from './player/transport.tsx'
import { useRecording, type ReadRecording } from './player/use-recording.ts'
import type { ReplayError } from './timeline/steps.ts'
import styles from './clip.module.css'

/** How long before the error the clip begins: long enough to see what led to it. */
const beforeMs = 5_000

/**
 * The seconds before an error: the same player, small, with its cursor shortly before `errorAt` (ms since the epoch, the
 * client's clock). `errors` are drawn as signs; keep `read` and `errors` stable between draws.
 */
export function ReplayClip(props: {
  readonly read: ReadRecording
  readonly errors: readonly ReplayError[]
  readonly errorAt: number
  /** Called with the player once there is one: the steps beside the clip follow its cursor. */
  readonly onPlayer?: (player: Player) => void
}) {
  const { errorAt } = props
  const startAt = useCallback(
    (startedAt: number) => Math.max(0, errorAt - startedAt - beforeMs),
    [errorAt],
  )
  const loaded = useRecording({ read: props.read, errors: props.errors, startAt })
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
        <Small player={loaded.player} onPlayer={props.onPlayer} />
      )}
    </div>
  )
}

function Small(props: {
  readonly player: Player
  readonly onPlayer: ((player: Player) => void) | undefined
}) {
  const { player, onPlayer } = props
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => onPlayer?.(player), [player, onPlayer])
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
