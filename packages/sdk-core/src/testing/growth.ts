/** Growth below which work is linear: four times the text costs 4 times as much, or 16 times if it is quadratic. */
export const linearGrowthMax = 8

const roundsMin = 2
const roundsMax = 40

/**
 * Returns how many times longer `work` takes for a text four times as long. Compares the shortest of
 * several runs, and runs again while a busy machine makes the growth look worse than linear.
 */
export function growthOf(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): number {
  const [short, long] = [textOf(length), textOf(4 * length)]
  let [shortMs, longMs] = [Infinity, Infinity]
  for (let round = 1; round <= roundsMax; round += 1) {
    shortMs = Math.min(shortMs, timeOf(work, short))
    longMs = Math.min(longMs, timeOf(work, long))
    if (round >= roundsMin && longMs < linearGrowthMax * shortMs) break
  }
  return longMs / shortMs
}

function timeOf(work: (text: string) => unknown, text: string): number {
  const startedAt = performance.now()
  work(text)
  return performance.now() - startedAt
}
