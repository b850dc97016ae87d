/** The outline of the density over `width`, standing on `floor`, `height` at its highest. */
export function densityPath(
  density: readonly number[],
  size: { readonly width: number; readonly floor: number; readonly height: number },
): string {
  const step = size.width / Math.max(1, density.length - 1)
  const points = density.map((_value, index) => {
    const smooth =
      ((density[index - 1] ?? 0) + 2 * (density[index] ?? 0) + (density[index + 1] ?? 0)) / 4
    return `L${(index * step).toFixed(1)} ${(size.floor - smooth * size.height).toFixed(1)}`
  })
  return `M0 ${size.floor}${points.join('')}L${size.width} ${size.floor}Z`
}

/** Spacings of a clock that people read without counting, ms. */
const spacings = [
  1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
]

export interface Tick {
  readonly at: number
  readonly anchor: 'start' | 'middle' | 'end'
}

/** The times printed under the line, at least 90 px apart. */
export function ticksOf(durationMs: number, width: number): readonly Tick[] {
  if (durationMs <= 0 || width <= 0) return []
  const spacing = spacings.find((candidate) => (candidate / durationMs) * width >= 90) ?? durationMs
  const ticks: Tick[] = []
  for (let at = 0; at <= durationMs && ticks.length < 100; at += spacing) {
    const x = (at / durationMs) * width
    ticks.push({ at, anchor: at === 0 ? 'start' : x > width - 20 ? 'end' : 'middle' })
  }
  return ticks
}
