import type { Step, StepKind } from './steps.ts'

export type MarkerKind = Exclude<StepKind, 'input' | 'console' | 'other'>

/** A sign on the timeline. */
export interface Marker {
  readonly id: string
  readonly at: number
  readonly kind: MarkerKind
  readonly label: string
}

/** Gravest first: where two signs would touch, the graver stays. */
const gravity: readonly MarkerKind[] = [
  'error',
  'rage',
  'dead',
  'warning',
  'vital',
  'network',
  'navigation',
  'click',
]

/** Kinds that stand in the upper row, "what went wrong"; the others are what the person did. */
const wrong: ReadonlySet<MarkerKind> = new Set(['error', 'warning', 'vital', 'network'])

/** Picks the rows that become signs: failed requests only, but all vitals, which mark page loads. */
export function deriveMarkers(steps: readonly Step[]): readonly Marker[] {
  const markers: Marker[] = []
  for (const step of steps) {
    if (step.kind === 'input' || step.kind === 'console' || step.kind === 'other') continue
    if (step.kind === 'network' && !step.isFailed) continue
    const label = [step.verb, step.subject, step.detail].filter((part) => part !== '').join(' ')
    markers.push({ id: step.id, at: step.at, kind: step.kind, label })
  }
  return markers
}

export interface PlacedMarkers {
  readonly wrong: readonly (Marker & { readonly x: number })[]
  readonly done: readonly (Marker & { readonly x: number })[]
}

/**
 * Places the signs on a line of `width` px, at least `gapPx` apart within their row; with `isOneRow` all
 * stand in the upper one.
 */
export function placeMarkers(
  markers: readonly Marker[],
  size: {
    readonly durationMs: number
    readonly width: number
    readonly gapPx?: number
    readonly isOneRow?: boolean
  },
): PlacedMarkers {
  const gapPx = size.gapPx ?? 9
  const scale = size.durationMs > 0 ? size.width / size.durationMs : 0
  const rows = { wrong: [] as (Marker & { x: number })[], done: [] as (Marker & { x: number })[] }
  const byGravity = [...markers].sort(
    (a, b) => gravity.indexOf(a.kind) - gravity.indexOf(b.kind) || a.at - b.at,
  )
  const taken = { wrong: new Set<number>(), done: new Set<number>() }
  for (const marker of byGravity) {
    const row = size.isOneRow === true || wrong.has(marker.kind) ? 'wrong' : 'done'
    // Events after the last picture (its end was lost) are placed at the end.
    const x = Math.min(marker.at, size.durationMs) * scale
    if (!claim(taken[row], x, gapPx, rows[row])) continue
    rows[row].push({ ...marker, x })
  }
  rows.wrong.sort((a, b) => a.x - b.x)
  rows.done.sort((a, b) => a.x - b.x)
  return rows
}

/** Cells of one gap each make the test constant: only neighbours can be too near. */
function claim(
  taken: Set<number>,
  x: number,
  gapPx: number,
  placed: readonly { readonly x: number }[],
): boolean {
  const cell = Math.floor(x / gapPx)
  const isNear =
    taken.has(cell) ||
    ((taken.has(cell - 1) || taken.has(cell + 1)) &&
      placed.some((other) => Math.abs(other.x - x) < gapPx))
  if (isNear) return false
  taken.add(cell)
  return true
}

/** The next sign in a direction, clicks left out, with a little room so that a step moves on. */
export function neighbourMarker(
  markers: readonly Marker[],
  at: number,
  direction: 1 | -1,
): Marker | null {
  const stops = markers.filter((marker) => marker.kind !== 'click')
  if (direction === 1) return stops.find((marker) => marker.at > at + 50) ?? null
  return stops.findLast((marker) => marker.at < at - 500) ?? null
}
