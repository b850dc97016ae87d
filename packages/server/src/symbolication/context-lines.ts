/** Longer lines are cut to an excerpt around the position. */
const lineMax = 150
const excerpt = 140
/** Characters of the excerpt before the position. */
const before = 60
/** A cut this near to an end of the line is not worth it. */
const edge = 5

/** Cuts a long line around a column, and marks where it was cut. */
export function cutLine(line: string, column: number): string {
  const { length } = line
  if (length <= lineMax) return line
  let start = Math.max(Math.min(column, length) - before, 0)
  if (start < edge) start = 0
  let end = Math.min(start + excerpt, length)
  if (end > length - edge) end = length
  if (end === length) start = length - excerpt
  return `${start > 0 ? '{snip} ' : ''}${line.slice(start, end)}${end < length ? ' {snip}' : ''}`
}
