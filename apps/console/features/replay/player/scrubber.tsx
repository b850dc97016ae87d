'use client'

import { useId, useMemo, useRef, useState, type PointerEvent } from 'react'
import { MarkerShape } from '../../../ui/marker-icon.tsx'
import { clock, clockSeconds, duration } from '../timeline/clock.ts'
import { chapterAt } from '../timeline/chapters.ts'
import { placeMarkers } from '../timeline/markers.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { markerShape } from '../marker-shape.ts'
import { densityPath, ticksOf } from './scrubber-shapes.ts'
import type { Player } from './player.ts'
import { useAt, useMove, useTimeline, useWidth } from './use-player.ts'
import styles from './scrubber.module.css'

/** Tops of the bands, px: pages, problems, actions, density; `floor` is the axis. The clock is below it. */
const bands = { chapters: 20, wrong: 22, done: 46, density: 70, floor: 152, total: 176 }
const small = { chapters: 0, wrong: 0, done: 0, density: 14, floor: 40, total: 48 }

/**
 * The whole recording as one line that the cursor moves along. `isSmall` is for the clip: one row of signs over the
 * density, without clicks, pages and clock.
 */
export function Scrubber(props: { readonly player: Player; readonly isSmall?: boolean }) {
  const { player } = props
  const timeline = useTimeline(player)
  const [setElement, width] = useWidth<HTMLDivElement>()
  const [ghostAt, setGhostAt] = useState<number | null>(null)
  const isDragging = useRef(false)
  const size = props.isSmall === true ? small : bands
  const at = useAt(player, (now) => Math.floor(now / 100) * 100)
  const timeOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)))
    return share * timeline.durationMs
  }
  return (
    <div
      ref={setElement}
      className={styles['scrubber']}
      style={{ height: size.total }}
      role="slider"
      tabIndex={0}
      aria-label="Time in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(timeline.durationMs / 1000)}
      aria-valuenow={Math.round(at / 1000)}
      aria-valuetext={`${clock(at)} of ${clockSeconds(timeline.durationMs)}`}
      onPointerDown={(event) => {
        isDragging.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
        player.seek(timeOf(event))
      }}
      onPointerMove={(event) => {
        if (isDragging.current) player.seek(timeOf(event))
        setGhostAt(event.pointerType === 'touch' ? null : timeOf(event))
      }}
      onPointerUp={() => {
        isDragging.current = false
      }}
      onPointerLeave={() => setGhostAt(null)}
    >
      {width > 0 ? (
        <svg width={width} height={size.total} aria-hidden className={styles['drawing']}>
          <Ground timeline={timeline} width={width} player={player} isSmall={size === small} />
          {ghostAt === null || size === small ? null : (
            <Flag
              x={(ghostAt / Math.max(1, timeline.durationMs)) * width}
              width={width}
              kind="ghost"
            >
              {clockSeconds(ghostAt)}
            </Flag>
          )}
          <Cursor player={player} width={width} isSmall={size === small} />
        </svg>
      ) : null}
    </div>
  )
}

function Ground(props: {
  readonly timeline: Timeline
  readonly width: number
  readonly player: Player
  readonly isSmall: boolean
}) {
  const { timeline, width, player, isSmall } = props
  const { floor, density } = isSmall ? small : bands
  const id = useId()
  const past = useRef<SVGRectElement>(null)
  const line = useRef<SVGPathElement>(null)
  const scale = width / Math.max(1, timeline.durationMs)
  const shape = useMemo(
    () => densityPath(timeline.density, { width, floor, height: floor - density - 4 }),
    [timeline, width, floor, density],
  )
  useMove(player, (at) => {
    past.current?.setAttribute('width', String(at * scale))
    line.current?.setAttribute('d', `M0 ${floor + 0.5}H${at * scale}`)
  })
  return (
    <>
      <defs>
        <linearGradient id={`${id}glow`} x1="0" x2="1">
          <stop offset="0" stopColor="var(--after)" stopOpacity=".12" />
          <stop offset="1" stopColor="var(--after)" stopOpacity=".72" />
        </linearGradient>
        <clipPath id={`${id}past`}>
          <rect ref={past} width="0" height={floor + 10} />
        </clipPath>
      </defs>
      {isSmall ? null : <Chapters timeline={timeline} width={width} player={player} />}
      {isSmall ? null : <path className={styles['grid']} d={`M0 45.5H${width}M0 69.5H${width}`} />}
      <path d={shape} fill="var(--bar-2)" />
      <path d={shape} fill="var(--paper)" clipPath={`url(#${id}past)`} />
      <path d={shape} fill={`url(#${id}glow)`} clipPath={`url(#${id}past)`} />
      {timeline.idle.map((gap) => (
        <IdleGapLine key={gap.at} gap={gap} scale={scale} floor={floor} hasText={!isSmall} />
      ))}
      <path className={styles['axis']} d={`M0 ${floor + 0.5}H${width}`} />
      <path ref={line} stroke="var(--after)" strokeWidth="2" />
      {isSmall ? null : (
        <g className={styles['clock']}>
          {ticksOf(timeline.durationMs, width).map((tick) => (
            <text key={tick.at} x={tick.at * scale} y="169" textAnchor={tick.anchor}>
              {clockSeconds(tick.at)}
            </text>
          ))}
        </g>
      )}
      <Signs timeline={timeline} width={width} isSmall={isSmall} />
    </>
  )
}

function Chapters(props: {
  readonly timeline: Timeline
  readonly width: number
  readonly player: Player
}) {
  const { chapters, durationMs } = props.timeline
  const scale = props.width / Math.max(1, durationMs)
  const currentAt = useAt(props.player, (at) => chapterAt(chapters, at)?.at ?? null)
  return chapters.map((chapter) => {
    const x = chapter.at * scale
    const width = Math.max(1, (chapter.until - chapter.at) * scale - 1)
    const characters = Math.floor((width - 8) / 6)
    const isNow = chapter.at === currentAt
    return (
      <g key={chapter.at} className={isNow ? styles['chapterNow'] : styles['chapter']}>
        <path d={`M${x + 0.5} 2V20`} stroke="var(--rule-control)" />
        <rect
          x={x + 1}
          y="18"
          width={width}
          height="2"
          fill={isNow ? 'var(--ink)' : 'var(--bar-2)'}
        />
        {characters >= 2 || chapter.path.length <= characters ? (
          // Letters have different widths: an overlong title is clipped at the end of its page.
          <svg x={x + 1} width={width} height="18" overflow="hidden">
            <text x="5" y="12">
              {chapter.path.length > characters
                ? `${chapter.path.slice(0, Math.max(1, characters - 1))}…`
                : chapter.path}
            </text>
          </svg>
        ) : null}
      </g>
    )
  })
}

function IdleGapLine(props: {
  readonly gap: { readonly at: number; readonly until: number }
  readonly scale: number
  readonly floor: number
  readonly hasText: boolean
}) {
  const left = props.gap.at * props.scale
  const right = props.gap.until * props.scale
  return (
    <>
      <path
        d={`M${left} ${props.floor - 0.5}H${right}`}
        stroke="var(--rule-control)"
        strokeDasharray="2 3"
      />
      {props.hasText && right - left > 118 ? (
        <text
          className={styles['idle']}
          x={(left + right) / 2}
          y={props.floor - 8}
          textAnchor="middle"
        >
          {duration(props.gap.until - props.gap.at)} idle
        </text>
      ) : null}
    </>
  )
}

function Signs(props: {
  readonly timeline: Timeline
  readonly width: number
  readonly isSmall: boolean
}) {
  const { timeline, width, isSmall } = props
  const placed = useMemo(
    () =>
      placeMarkers(
        isSmall ? timeline.markers.filter((marker) => marker.kind !== 'click') : timeline.markers,
        {
          durationMs: timeline.durationMs,
          width: width - 2,
          isOneRow: isSmall,
          gapPx: isSmall ? 13 : 9,
        },
      ),
    [timeline, width, isSmall],
  )
  const rows = [
    { signs: placed.wrong, y: isSmall ? 0 : bands.wrong + 5 },
    { signs: placed.done, y: isSmall ? 0 : bands.done + 5 },
  ]
  return rows.map(({ signs, y }) =>
    signs.map((sign) => (
      <g key={sign.id} transform={`translate(${sign.x - 6} ${y})`}>
        <title>{`${clock(sign.at)} ${sign.label}`}</title>
        {isSmall ? <path d="M6 13V38" stroke="var(--rule-strong)" strokeWidth=".75" /> : null}
        <MarkerShape kind={markerShape(sign.kind)} />
      </g>
    )),
  )
}

function Cursor(props: {
  readonly player: Player
  readonly width: number
  readonly isSmall: boolean
}) {
  const { player, width, isSmall } = props
  const group = useRef<SVGGElement>(null)
  const flag = useRef<SVGGElement>(null)
  const text = useRef<SVGTextElement>(null)
  useMove(player, (at) => {
    const x = (at / Math.max(1, player.timeline().durationMs)) * width
    group.current?.setAttribute('transform', `translate(${x} 0)`)
    flag.current?.setAttribute('transform', `translate(${within(x, 30, width) - x} 157)`)
    if (text.current !== null) text.current.textContent = clock(at)
  })
  if (isSmall) {
    return (
      <g ref={group}>
        <path d={`M0 12V${small.floor}`} stroke="var(--now)" strokeWidth="2" />
        <circle cy={small.floor} r="5" fill="var(--now)" stroke="var(--paper)" strokeWidth="1.5" />
      </g>
    )
  }
  return (
    <g ref={group}>
      <path d={`M0 22V${bands.floor}`} stroke="var(--now)" strokeWidth="2" />
      <g ref={flag} className={styles['nowFlag']}>
        <rect x="-30" width="60" height="18" rx="3" fill="var(--now-ink)" />
        <text ref={text} y="13" textAnchor="middle" />
      </g>
    </g>
  )
}

function Flag(props: {
  readonly x: number
  readonly width: number
  readonly kind: 'ghost'
  readonly children: string
}) {
  return (
    <g className={styles['ghost']}>
      <path d={`M${props.x} 22V152`} stroke="var(--after)" strokeWidth="1.5" />
      <g transform={`translate(${within(props.x, 24, props.width)} 157)`}>
        <rect
          x="-24"
          width="48"
          height="18"
          rx="3"
          fill="var(--after-wash)"
          stroke="var(--after)"
          strokeWidth=".75"
        />
        <text y="13" textAnchor="middle">
          {props.children}
        </text>
      </g>
    </g>
  )
}

function within(x: number, half: number, width: number): number {
  return Math.min(Math.max(x, half), Math.max(half, width - half))
}
