'use client'

import { useClock, shortTime } from '../ui/clock.tsx'
import { compactNumber, exactNumber } from '../ui/time-words.ts'
import { axisLabels, gridValues } from './time-axis.ts'
import styles from './histogram.module.css'

export interface HistogramRelease {
  readonly version: string
  /** Seconds since the epoch. */
  readonly at: number
  /** The one that stands in ink, and is never left out; without any it is the last. */
  readonly isNewest?: boolean
}

/**
 * Events per bucket with the releases they fell under; the last bar is now. Bars and lines are drawn
 * in a stretched SVG, words in HTML above it, so that it fits any width without scaling the type.
 */
export function Histogram(props: {
  /** `[seconds, count]`, oldest first, without gaps. */
  readonly series: readonly (readonly [number, number])[]
  /** Seconds per bucket. */
  readonly interval: number
  readonly releases: readonly HistogramRelease[]
  readonly label: string
  readonly height?: number
  /** Lines with their numbers at the right edge. */
  readonly hasGrid?: boolean
  /** Noun of the counted things, for the tooltip: "events". */
  readonly noun?: string
}) {
  const { timeZone } = useClock()
  const height = props.height ?? 48
  const { series } = props
  const first = series[0]?.[0]
  const last = series.at(-1)?.[0]
  if (first === undefined || last === undefined) return <div style={{ height: height + 40 }} />
  const end = last + props.interval
  const most = Math.max(1, ...series.map(([, count]) => count))
  const grid = props.hasGrid === true ? gridValues(most) : null
  const place = (second: number) => ((second - first) / (end - first)) * 100
  const releases = visibleReleases(props.releases, first, end)
  const newest = releases.find((release) => release.isNewest) ?? releases.at(-1)
  return (
    <figure
      className={styles['figure']}
      data-grid={grid !== null}
      aria-label={props.label}
      role="img"
    >
      <div className={styles['top']}>
        {releases.map((release) => (
          <span
            key={release.version}
            className={styles['release']}
            data-newest={release === newest}
            data-side={place(release.at) > 50 ? 'left' : 'right'}
            style={{ left: `${place(release.at)}%` }}
          >
            {release.version}
          </span>
        ))}
      </div>
      <Plot
        {...props}
        height={height}
        most={most}
        grid={grid}
        releases={releases}
        newest={newest}
        place={place}
      />
      <div className={styles['axis']}>
        {axisLabels(first, end, 5, timeZone).map((label) => (
          <span key={label.at} style={{ left: `${label.at * 100}%` }} suppressHydrationWarning>
            {label.text}
          </span>
        ))}
        <b>now</b>
      </div>
    </figure>
  )
}

function Plot(props: {
  readonly series: readonly (readonly [number, number])[]
  readonly releases: readonly HistogramRelease[]
  readonly newest: HistogramRelease | undefined
  readonly grid: readonly number[] | null
  readonly most: number
  readonly height: number
  readonly noun?: string
  readonly place: (second: number) => number
}) {
  const { now, timeZone } = useClock()
  return (
    <div className={styles['plot']} style={{ height: props.height }}>
      {props.grid?.map((value) => (
        <span
          key={value}
          className={styles['grid']}
          style={{ bottom: `${(value / props.most) * 100}%` }}
        >
          <span>{compactNumber(value)}</span>
        </span>
      ))}
      {props.releases.map((release) => (
        <i
          key={release.version}
          className={styles['line']}
          data-newest={release === props.newest}
          style={{ left: `${props.place(release.at)}%` }}
        />
      ))}
      <svg
        viewBox={`0 0 ${props.series.length * 10} 100`}
        preserveAspectRatio="none"
        className={styles['bars']}
      >
        {props.series.map(([second, count], index) => (
          <rect
            key={second}
            x={index * 10}
            y={count === 0 ? 97 : Math.min(97, 100 - (count / props.most) * 100)}
            width={8}
            height={count === 0 ? 3 : Math.max(3, (count / props.most) * 100)}
            className={
              index === props.series.length - 1
                ? styles['now']
                : count === 0
                  ? styles['none']
                  : undefined
            }
          >
            <title>{`${shortTime(second * 1000, now, timeZone)}: ${exactNumber(count)} ${props.noun ?? 'events'}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  )
}

/** Releases inside the range whose names do not run into one another; the newest always stays. */
function visibleReleases(
  releases: readonly HistogramRelease[],
  from: number,
  to: number,
): readonly HistogramRelease[] {
  const inside = releases.filter((one) => one.at > from && one.at < to)
  inside.sort((a, b) => Number(b.isNewest ?? false) - Number(a.isNewest ?? false) || b.at - a.at)
  const kept: HistogramRelease[] = []
  for (const release of inside) {
    const isClear = kept.every((one) => Math.abs(one.at - release.at) / (to - from) >= 0.2)
    if (isClear) kept.push(release)
    if (kept.length === 4) break
  }
  return kept.sort((a, b) => a.at - b.at)
}
