import { isDeeperThan, isJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import { headerDepthMax, headerLineBytesMax } from './limits.ts'
import { refuse } from './outcome.ts'
import type { Refusal, RefusalReason } from './outcome.ts'

export interface HeaderLine {
  readonly value: JsonObject
  /** Offset of the first byte after the line and its newline. */
  readonly end: number
}

const lineFeed = 0x0a

/** Keeps a byte order mark, so that JSON refuses it: no line but a file's first could have one. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads one line of JSON object, from `start` to the next newline or the end of the bytes. Anything
 * else is a refusal with the given reason; a line that is too long is never parsed.
 */
export function readHeaderLine(
  bytes: Uint8Array,
  start: number,
  reason: RefusalReason,
): HeaderLine | Refusal {
  const found = bytes.indexOf(lineFeed, start)
  const lineEnd = found === -1 ? bytes.length : found
  if (lineEnd - start > headerLineBytesMax) {
    return refuse(reason, `header at byte ${start} is longer than ${headerLineBytesMax} bytes`)
  }
  let value: unknown
  try {
    value = JSON.parse(strictDecoder.decode(bytes.subarray(start, lineEnd)))
  } catch {
    return refuse(reason, `header at byte ${start} is not JSON in UTF-8`)
  }
  if (!isJsonObject(value)) {
    return refuse(reason, `header at byte ${start} is not a JSON object`)
  }
  if (isDeeperThan(value, headerDepthMax)) {
    return refuse(reason, `header at byte ${start} nests deeper than ${headerDepthMax}`)
  }
  return { value, end: found === -1 ? bytes.length : found + 1 }
}
