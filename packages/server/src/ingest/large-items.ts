import { headerLineBytesMax } from '@afterimage/protocol/limits'

/** Items that may be larger than everything else an envelope holds. */
const largeTypes = new Set(['attachment', 'profile', 'profile_chunk'])

const lineFeed = 0x0a

/**
 * Tells whether the envelope so far has an item that may be large. Reads only item headers, as
 * leniently as it can: malformed ones are refused later, with their reason.
 */
export function announcesLargeItem(beginning: Buffer): boolean {
  let offset = lineEnd(beginning, 0) + 1
  while (offset < beginning.length) {
    const end = lineEnd(beginning, offset)
    const header = readHeader(beginning.subarray(offset, end))
    if (header === null) return false
    if (largeTypes.has(header.type)) return true
    offset = (header.length === null ? lineEnd(beginning, end + 1) : end + 1 + header.length) + 1
  }
  return false
}

function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lineFeed, from)
  return at === -1 ? bytes.length : at
}

function readHeader(line: Buffer): { type: string; length: number | null } | null {
  if (line.length > headerLineBytesMax) return null
  try {
    const { type, length } = JSON.parse(line.toString()) as { type?: unknown; length?: unknown }
    const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0
    return { type: String(type), length: isLength ? length : null }
  } catch {
    return null
  }
}
