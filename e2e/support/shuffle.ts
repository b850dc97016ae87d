/** A shuffled copy, the same one for the same seed. */
export function inOrderOf<T>(seed: number, values: readonly T[]): T[] {
  const shuffled = [...values]
  let state = seed >>> 0
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (index + 1)
    const kept = shuffled[index] as T
    shuffled[index] = shuffled[other] as T
    shuffled[other] = kept
  }
  return shuffled
}
