import { useCallback } from 'react'
import { State } from '../../ui/state.tsx'
import { PlayerView } from '../replay/player/player-view.tsx'
import type { RecordingSource } from '../replay/player/load-recording.ts'
import { useRecording } from '../replay/player/use-recording.ts'
import type { ReplayError } from '../replay/timeline/steps.ts'
import styles from './share.module.css'

/** The player alone, filling what frames it. */
export function EmbeddedReplay(props: {
  readonly errors: readonly ReplayError[]
  readonly source: RecordingSource
  readonly startAt: number | null
}) {
  const from = props.startAt ?? 0
  const startAt = useCallback(() => from, [from])
  const { player, failure } = useRecording({ source: props.source, errors: props.errors, startAt })
  return (
    <main className={styles['embed']}>
      <h1 className="visually-hidden">Replay</h1>
      {player !== null ? <PlayerView player={player} /> : null}
      {player === null && failure !== null ? (
        <State isList kind="failed" title="The recording could not be loaded">
          {failure}
        </State>
      ) : null}
    </main>
  )
}
