'use client'

import { useMemo, useRef, useState } from 'react'
import { classes } from '../../../ui/classes.ts'
import { Link } from '../../../ui/navigation.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import type { Player } from '../player/player.ts'
import { useAt, useMove, useTimeline } from '../player/use-player.ts'
import { clock, clockSeconds, duration } from '../timeline/clock.ts'
import type { NetworkRow } from '../timeline/network.ts'
import { formatVital, vitalThresholds } from '../timeline/vitals.ts'
import { FollowButton, matches, Pane, PaneFilter } from './pane.tsx'
import { RowList } from './row-list.tsx'
import { NoRows } from './no-rows.tsx'
import styles from './panels.module.css'

/** The lane beside the requests shows this much time, and moves on by half of it. */
const laneMs = 36_000

/** Requests, traces and vitals. */
export function LowerPane(props: {
  readonly player: Player
  readonly traceIds: readonly string[]
}) {
  const { player } = props
  const timeline = useTimeline(player)
  const [tab, setTab] = useState('network')
  const [isFollowing, setIsFollowing] = useState(true)
  const from = useAt(player, laneStart)
  return (
    <Pane
      label="Network and timing"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { id: 'network', label: 'Network', count: String(timeline.network.length) },
        { id: 'trace', label: 'Trace', count: String(props.traceIds.length) },
        { id: 'vitals', label: 'Vitals', count: String(timeline.vitals.length) },
      ]}
      tool={
        <>
          {tab === 'network' ? (
            <span className={styles['range']}>
              {clockSeconds(from)} to {clockSeconds(from + laneMs)}
            </span>
          ) : null}
          <FollowButton isFollowing={isFollowing} onChange={setIsFollowing} />
        </>
      }
    >
      {tab === 'network' ? (
        <NetworkPanel
          player={player}
          from={from}
          isFollowing={isFollowing}
          onReaderScroll={() => setIsFollowing(false)}
        />
      ) : null}
      {tab === 'trace' ? <TracePanel traceIds={props.traceIds} /> : null}
      {tab === 'vitals' ? (
        <VitalsPanel
          player={player}
          isFollowing={isFollowing}
          onReaderScroll={() => setIsFollowing(false)}
        />
      ) : null}
    </Pane>
  )
}

function laneStart(at: number): number {
  return Math.max(0, Math.floor(at / (laneMs / 2)) * (laneMs / 2) - laneMs / 4)
}

type Shown = 'fetch' | 'assets' | 'all' | 'failed'

function isShown(row: NetworkRow, shown: Shown): boolean {
  if (shown === 'fetch') return !row.isAsset
  if (shown === 'assets') return row.isAsset
  return shown === 'all' || row.isFailed
}

function NetworkPanel(props: {
  readonly player: Player
  readonly from: number
  readonly isFollowing: boolean
  readonly onReaderScroll: () => void
}) {
  const { network } = useTimeline(props.player)
  const [text, setText] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const failed = useMemo(() => network.filter((row) => row.isFailed).length, [network])
  const rows = useMemo(
    () =>
      network.filter(
        (row) =>
          isShown(row, shown) && matches(text, row.url, row.method, String(row.status ?? '')),
      ),
    [network, shown, text],
  )
  return (
    <>
      <PaneFilter placeholder="Search url, method, status" text={text} onText={setText}>
        <Segments
          label="Which requests"
          selected={shown}
          onSelect={(id) => setShown(id as Shown)}
          options={[
            { id: 'all', label: 'All' },
            { id: 'fetch', label: 'Fetch' },
            { id: 'assets', label: 'Assets' },
            { id: 'failed', label: failed === 0 ? 'Failed' : `Failed ${failed}` },
          ]}
        />
      </PaneFilter>
      {rows.length === 0 ? (
        <NoRows isEmpty={network.length === 0} what="Requests" />
      ) : (
        <div className={styles['crossed']}>
          <RowList
            {...props}
            rows={rows}
            rowHeight={26}
            label="Requests"
            rowClass={styles['request']}
            render={(row) => <RequestLine row={row} from={props.from} />}
          />
          <NowRule player={props.player} from={props.from} />
        </div>
      )}
    </>
  )
}

function RequestLine(props: { readonly row: NetworkRow; readonly from: number }) {
  const { row, from } = props
  const left = ((row.at - from) / laneMs) * 100
  const width = (row.durationMs / laneMs) * 100
  const isInLane = left + width >= 0 && left <= 100
  const status = row.status === null ? '–' : row.status === 0 ? '—' : String(row.status)
  return (
    <>
      <code>{clockSeconds(row.at)}</code>
      <code data-failed={row.isFailed} title={row.status === 0 ? 'No answer' : undefined}>
        {status}
      </code>
      <span className={styles['what']} title={row.url}>
        <code className={styles['verb']}>{row.isAsset ? row.initiator : row.method}</code>{' '}
        {row.label}
      </span>
      <span className={styles['took']} data-failed={row.isFailed}>
        {duration(row.durationMs)}
      </span>
      <span className={styles['lane']}>
        {isInLane ? (
          <i
            className={classes(row.isFailed && styles['bad'])}
            style={{
              left: `${Math.max(0, left)}%`,
              width: `${Math.min(100 - Math.max(0, left), width + Math.min(0, left))}%`,
            }}
          />
        ) : null}
      </span>
    </>
  )
}

function NowRule(props: { readonly player: Player; readonly from: number }) {
  const line = useRef<HTMLElement>(null)
  useMove(props.player, (at) => {
    if (line.current === null) return
    const share = (at - props.from) / laneMs
    line.current.style.left = `${share * 100}%`
    line.current.hidden = share < 0 || share > 1
  })
  return (
    <div className={styles['ruleBox']} aria-hidden>
      <i ref={line} className={styles['nowRule']} />
    </div>
  )
}

function TracePanel(props: { readonly traceIds: readonly string[] }) {
  if (props.traceIds.length === 0) return <NoRows isEmpty what="Traces" />
  return (
    <ul className={styles['plainList']}>
      {props.traceIds.map((id) => (
        <li key={id}>
          <Link className={styles['link'] ?? ''} href={`/traces/${id}`}>
            <code>{id}</code>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function VitalsPanel(props: {
  readonly player: Player
  readonly isFollowing: boolean
  readonly onReaderScroll: () => void
}) {
  const { vitals } = useTimeline(props.player)
  if (vitals.length === 0) return <NoRows isEmpty what="Vitals" />
  return (
    <RowList
      {...props}
      rows={vitals}
      rowHeight={28}
      label="Vitals"
      rowClass={styles['vital']}
      render={(vital) => (
        <>
          <span className={styles['time']}>{clock(vital.at)}</span>
          <b>{vital.name}</b>
          <span className={styles['what']}>
            <span className={styles['verb']}>{vitalThresholds[vital.name].meaning}</span>
          </span>
          <span className={styles['detail']} data-failed={vital.rating === 'poor'}>
            {formatVital(vital.name, vital.value)}, {vital.rating}
          </span>
        </>
      )}
    />
  )
}
