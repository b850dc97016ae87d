import { memo } from 'react'
import type { SpanRow } from './span-rows.ts'
import { placeOf } from './time-scale.ts'

/** Lines drawn at most: at forty pixels of height more cannot be told apart. */
const linesMax = 400

/** The whole trace on forty pixels. */
export const Minimap = memo(function Minimap(props: {
  readonly rows: readonly SpanRow[]
  readonly durationMs: number
  readonly colours: ReadonlyMap<string, number>
}) {
  const { rows, durationMs, colours } = props
  const every = Math.max(1, Math.ceil(rows.length / linesMax))
  const lines = rows.filter((_row, index) => index % every === 0)
  const step = 36 / Math.max(1, lines.length)
  return (
    <svg viewBox="0 0 1000 40" preserveAspectRatio="none" width="100%" height="40" aria-hidden>
      {lines.map((row, index) => {
        const x = placeOf(row.at, durationMs) * 10
        const width = Math.max(1.5, placeOf(row.until, durationMs) * 10 - x)
        const colour = colours.get(row.span.service) ?? 1
        return (
          <rect
            key={row.span.span_id + String(index)}
            x={x}
            y={2 + index * step}
            width={width}
            height={Math.min(1.6, Math.max(0.4, step * 0.8))}
            fill={row.isFailed ? 'var(--error)' : `var(--sv-${colour})`}
          />
        )
      })}
    </svg>
  )
})
