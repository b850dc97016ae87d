/** Right of the longest bar this share of the lane stays free, for its duration. */
const freeShare = 0.08

/** The place of a moment on the lane, in percent. */
export function placeOf(at: number, durationMs: number): number {
  return durationMs <= 0 ? 0 : (at / durationMs) * (1 - freeShare) * 100
}

/** The moment at a place of the lane (0 to 1), within the trace. */
export function momentAt(share: number, durationMs: number): number {
  return Math.min(durationMs, Math.max(0, (share / (1 - freeShare)) * durationMs))
}

/** Times printed on the ruler: round ones, four to seven of them. */
export function rulerTicks(durationMs: number): readonly number[] {
  if (durationMs <= 0) return [0]
  const rough = durationMs / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const spacing = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= rough) ?? rough
  const ticks: number[] = []
  for (let index = 0; index * spacing <= durationMs && index < 20; index += 1) {
    ticks.push(index * spacing)
  }
  return ticks
}

/** `2.0 s`, `150 ms`, `3 min`: all ticks of a ruler in one unit. */
export function tickWords(at: number, durationMs: number): string {
  if (durationMs >= 300_000) return `${(at / 60_000).toFixed(at % 60_000 === 0 ? 0 : 1)} min`
  if (durationMs >= 1_000) return `${(at / 1_000).toFixed(durationMs >= 20_000 ? 0 : 1)} s`
  return `${Number(at.toFixed(2))} ms`
}
