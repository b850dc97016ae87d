'use client'

import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { Virtualizer, type CustomContainerComponentProps, type VirtualizerHandle } from 'virtua'
import { classes } from '../../../ui/classes.ts'
import type { Player } from '../player/player.ts'
import { useRowAt } from '../player/use-player.ts'
import styles from './panels.module.css'

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
  const list = useRef<VirtualizerHandle>(null)
  const current = useRowAt(player, rows)
  const left = useFormer(current)
  useEffect(() => {
    const { current: shown } = list
    if (shown === null || !isFollowing || current < 0) return
    const top = current * rowHeight
    const isSeen =
      top >= shown.scrollOffset + rowHeight &&
      top + 2 * rowHeight <= shown.scrollOffset + shown.viewportSize
    if (!isSeen) shown.scrollToIndex(current, { align: 'center' })
  }, [current, isFollowing, rowHeight])
  return (
    <div
      ref={box}
      className={styles['rows']}
      onWheel={props.onReaderScroll}
      onTouchMove={props.onReaderScroll}
    >
      <ListLabel value={props.label}>
        <Virtualizer
          ref={list}
          scrollRef={box}
          as={LabelledList}
          item="li"
          data={rows}
          itemSize={rowHeight}
        >
          {(row, index) => (
            <button
              key={row.id}
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
          )}
        </Virtualizer>
      </ListLabel>
    </div>
  )
}

const ListLabel = createContext('')

/** `style` has the height of all rows. */
function LabelledList(props: CustomContainerComponentProps) {
  return <ol aria-label={useContext(ListLabel)} {...props} />
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
