import type { EventFrame } from '@afterimage/protocol/event'
import { cleanAddress } from './clean-address.ts'
import { framesMax, stackLineCharactersMax } from './limits.ts'

/**
 * The frames of an error's `stack`, oldest first. Every line is read once, without backtracking:
 * - Chrome: `    at name (address:line:column)`, or without a name and parentheses
 * - Firefox, Safari: `name@address:line:column`; Safari also without a name and the `@`
 */
export function parseStack(stack: string, skip = 0): EventFrame[] {
  const frames: EventFrame[] = []
  for (const line of stack.split('\n', 4 * framesMax)) {
    if (line.length > stackLineCharactersMax) continue
    const frame = parseLine(line.trim())
    if (frame !== null) frames.push(frame)
  }
  return frames.slice(skip, skip + framesMax).reverse()
}

function parseLine(line: string): EventFrame | null {
  if (line.startsWith('at ')) {
    const text = line.slice(3).replace(/^async /, '')
    const open = text.endsWith(')') ? text.indexOf(' (') : -1
    return open < 0 ? frameOf('', text) : frameOf(text.slice(0, open), text.slice(open + 2, -1))
  }
  const at = line.indexOf('@')
  // An address may hold an `@` itself: `https://cdn.test/package@1.2.3/file.js:1:2`.
  const isNamed = at >= 0 && !line.slice(0, at).includes('://')
  if (isNamed) return frameOf(line.slice(0, at).replace(/^async\*?/, ''), line.slice(at + 1))
  return /:\/\/.*:\d+$/.test(line) ? frameOf('', line) : null
}

function frameOf(name: string, place: string): EventFrame | null {
  const location = evalOrigin(place)
  const match = /:(\d+)(?::(\d+))?$/.exec(location)
  const address = match === null ? location : location.slice(0, match.index)
  const isNative = /^(native|<anonymous>|\[native code\])$/.test(address)
  if (match === null && !isNative) return null
  return {
    filename: cleanAddress(address),
    function: name || '?',
    ...(match && { lineno: Number(match[1]), ...(match[2] && { colno: Number(match[2]) }) }),
    in_app: !isNative,
  }
}

/** Of evaluated code the place of the `eval`, since the code itself has no address. */
function evalOrigin(place: string): string {
  if (place.startsWith('eval at ')) {
    const open = place.lastIndexOf('(')
    const close = place.indexOf(')', open)
    return open < 0 || close < 0 ? place : place.slice(open + 1, close)
  }
  const [address = '', rest] = place.split(' line ', 2)
  return rest === undefined ? place : `${address}:${Number.parseInt(rest, 10)}`
}
