'use client'

import type { Player } from '../player/player.ts'
import { useTimeline } from '../player/use-player.ts'
import { bytes, clock } from '../timeline/clock.ts'
import { RowList } from './row-list.tsx'
import { NoRows } from './no-rows.tsx'
import styles from './panels.module.css'

/** Charts the memory held by the page's scripts, at the recorder's samples. */
export function MemoryPanel(props: { readonly player: Player }) {
  const { memory } = useTimeline(props.player)
  if (memory.length === 0) return <NoRows isEmpty what="Memory" />
  const highest = memory.reduce((high, point) => Math.max(high, point.usedBytes), 1)
  return (
    <RowList
      player={props.player}
      rows={memory.map((point, index) => ({ ...point, id: `m${index}` }))}
      rowHeight={28}
      label="Memory"
      rowClass={styles['memory']}
      isFollowing
      onReaderScroll={() => {}}
      render={(point) => (
        <>
          <span className={styles['time']}>{clock(point.at)}</span>
          <span className={styles['bar']}>
            <i style={{ width: `${(point.usedBytes / highest) * 100}%` }} />
          </span>
          <span className={styles['detail']}>{bytes(point.usedBytes)}</span>
        </>
      )}
    />
  )
}
