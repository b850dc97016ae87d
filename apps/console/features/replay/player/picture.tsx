'use client'

import { useEffect, useRef, useState } from 'react'
import { State } from '../../../ui/state.tsx'
import type { Player } from './player.ts'
import { drawnEventsOf } from './drawn-events.ts'
import { usePlayerState } from './use-player.ts'
import styles from './player.module.css'

/**
 * The recorded page. Its frame, and the library that draws in it, are loaded when there is something to draw.
 */
export function Picture(props: { readonly player: Player; readonly label?: string }) {
  const { player } = props
  const root = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { isWaiting } = usePlayerState(player)
  const canDraw = player.timeline().recording.drawn.length > 0
  useEffect(() => {
    const element = root.current
    if (element === null || !canDraw) return
    let isGone = false
    let detach: (() => void) | null = null
    void (async () => {
      try {
        const { openStage } = await import('./stage.ts')
        const stage = await openStage(element, drawnEventsOf(player.timeline().recording), {
          onSize: player.setSize,
        })
        if (isGone) stage.close()
        else detach = player.attach(stage)
      } catch (cause) {
        if (!isGone) setFailure(cause instanceof Error ? cause.message : String(cause))
      }
    })()
    return () => {
      isGone = true
      detach?.()
    }
  }, [player, canDraw])
  return (
    <div className={styles['picture']} role="group" aria-label={props.label ?? 'The recorded page'}>
      {/* A recording of the console shows no recording inside. */}
      <div ref={root} className={styles['stage']} inert data-afterimage-block />
      {isWaiting && failure === null ? (
        <div className={styles['noPicture']} role="status">
          This moment is being loaded…
        </div>
      ) : null}
      {canDraw && failure === null ? null : (
        <div className={styles['noPicture']}>
          <State
            kind={failure === null ? 'empty' : 'failed'}
            title={failure === null ? 'Nothing to draw' : 'The page could not be drawn'}
          >
            {failure ?? 'No full snapshot of the page has arrived. The steps are still listed.'}
          </State>
        </div>
      )}
    </div>
  )
}
