/** Fewer events an hour than this never escalate an issue: after silence anything is a multiple. */
const HOURLY_LEAST = 10

/**
 * Events per hour above which an archived issue escalates, from the events of each hour of the
 * last week (oldest first). An issue younger than that week has ten times its busiest hour.
 */
export function escalationLimit(hourly: readonly number[], isWeekOld: boolean): number {
  const most = Math.max(0, ...hourly)
  if (!isWeekOld) return Math.max(HOURLY_LEAST, most * 10)
  const average = sum(hourly) / hourly.length
  if (average === 0) return HOURLY_LEAST
  const deviation = Math.sqrt(sum(hourly.map((count) => (count - average) ** 2)) / hourly.length)
  const spikeFactor = Math.min(Math.max((average + 5 * deviation) / average, 5), 8)
  const spike = weightedAverage(hourly) + spikeFactor * average
  const variation = deviation / average
  const bursty = most * Math.min(Math.max(2, 5 * Math.exp(-0.65 * variation)), 5)
  return Math.max(HOURLY_LEAST, spike, bursty)
}

/** The newest hour weighs most. */
function weightedAverage(hourly: readonly number[]): number {
  const weights = hourly.map((_, index) => index + 1)
  return sum(hourly.map((count, index) => count * (index + 1))) / sum(weights)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
