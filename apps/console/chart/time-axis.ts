/** Computes the places and labels of a histogram's times; pure, so that it can be tested alone. */

const NICE_STEPS_S = [
  60, 300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
]

export interface AxisLabel {
  /** 0 to 1, from the left edge. */
  readonly at: number
  readonly text: string
}

/**
 * Labels for a range, `count` at most, the first at the left edge with its day; none in the last
 * sixth, where "now" stands. Seconds since the epoch.
 */
export function axisLabels(from: number, to: number, count: number, timeZone: string): AxisLabel[] {
  const span = to - from
  if (!(span > 0) || count < 1) return []
  const step = NICE_STEPS_S.find((step) => span / step <= count) ?? span / count
  const labels: AxisLabel[] = []
  let day = ''
  for (let second = from; second < to - span / 6; second += step) {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(second * 1000)
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
    const date = `${part('day')} ${part('month')}`
    const clock = `${part('hour')}:${part('minute')}`
    const dayName = span > 6 * 86_400 ? date : part('weekday')
    const text =
      span > 6 * 86_400 && step >= 86_400 ? date : date === day ? clock : `${dayName} ${clock}`
    day = date
    labels.push({ at: (second - from) / span, text })
  }
  return labels
}

/** The greatest round even number that a bar reaches, and its half: the two grid lines. */
export function gridValues(most: number): readonly [number, number] | null {
  if (most < 4) return null
  const unit = 10 ** Math.floor(Math.log10(most))
  const round = [1, 2, 3, 4, 5, 6, 8, 10].map((n) => n * unit)
  const top = round.findLast((n) => n <= most && n % 2 === 0) ?? unit
  return [top / 2, top]
}
