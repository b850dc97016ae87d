'use client'

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import type { Player } from '../player/player.ts'
import { useRowAt } from '../player/use-player.ts'
import styles from './panels.module.css'

/** Rows drawn beyond the visible ones, above and below. */
const overscan = 8

/**
 * Rows on the one cursor: a click seeks, the row of the moment is washed orange and fades through cyan when the
 * cursor moves on. While it follows, the list scrolls by itself; it stops when the reader scrolls. Only the visible
 * rows are in the document, so twenty thousand cost what fifty do.
 */
export function RowList<R extends { readonly id: string; readonly at: number }>(props: {
  readonly player: Player
  readonly rows: readonly R[]
  readonly rowHeight: number
  readonly label: string
  readonly rowClass: string | undefined
  readonly isFollowing: boolean
  readonly onReaderScroll: () => void
  readonly render: (row: R) => ReactNode
}) {
  const { player, rows, rowHeight, isFollowing } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const current = useRowAt(player, rows)
  const left = useFormer(current)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = box.current
    if (element === null || !isFollowing || current < 0) return
    const top = current * rowHeight
    const isSeen =
      top >= element.scrollTop + rowHeight &&
      top + 2 * rowHeight <= element.scrollTop + element.clientHeight
    if (!isSeen) element.scrollTop = Math.max(0, top - element.clientHeight / 2)
  }, [current, isFollowing, rowHeight])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  return (
    <div
      ref={box}
      className={styles['rows']}
      onScroll={(event) => {
        const { scrollTop, clientHeight } = event.currentTarget
        setView({ top: scrollTop, height: clientHeight })
      }}
      onWheel={props.onReaderScroll}
      onTouchMove={props.onReaderScroll}
    >
      <ol aria-label={props.label} style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map((row, offset) => {
          const index = first + offset
          return (
            <li
              key={row.id}
              style={{ position: 'absolute', top: index * rowHeight, left: 0, right: 0 }}
            >
              <button
                type="button"
                className={classes(
                  styles['row'],
                  props.rowClass,
                  index === current && styles['isNow'],
                  index === left && styles['isLeft'],
                  index > current && styles['isLater'],
                )}
                style={{ height: rowHeight }}
                aria-current={index === current ? 'true' : undefined}
                onClick={() => player.seek(Math.max(0, row.at))}
              >
                {props.render(row)}
              </button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** The value before the present one. */
function useFormer(value: number): number | null {
  const [pair, setPair] = useState<{ now: number; former: number | null }>({
    now: value,
    former: null,
  })
  if (pair.now !== value) setPair({ now: value, former: pair.now })
  return pair.former
}
