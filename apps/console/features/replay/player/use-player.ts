import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Timeline } from '../timeline/timeline.ts'
import { rowAt, type Player, type PlayerState } from './player.ts'

/** The player's state; draws again when it changes, not when the cursor moves. */
export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.onChange, player.state, player.state)
}

export function useTimeline(player: Player): Timeline {
  return useSyncExternalStore(player.onChange, player.timeline, player.timeline)
}

/** The row under the cursor; draws again only when that is another one. */
export function useRowAt(player: Player, rows: readonly { readonly at: number }[]): number {
  return useSyncExternalStore(
    player.onMove,
    () => rowAt(rows, player.at()),
    () => rowAt(rows, player.at()),
  )
}

/** A value of the moving time, drawn again when it changes: a clock, a chapter. */
export function useAt<T extends string | number | null>(
  player: Player,
  read: (at: number) => T,
): T {
  return useSyncExternalStore(
    player.onMove,
    () => read(player.at()),
    () => read(player.at()),
  )
}

/** Calls `apply` with the time now and at each move, without drawing anything again. */
export function useMove(player: Player, apply: (at: number) => void): void {
  const latest = useRef(apply)
  useEffect(() => {
    latest.current = apply
    apply(player.at())
  })
  useEffect(() => player.onMove((at) => latest.current(at)), [player])
}

/** The width of an element in px, followed as it changes; 0 before it is laid out. */
export function useWidth<E extends Element>(): [(element: E | null) => void, number] {
  const [element, setElement] = useState<E | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width]
}
