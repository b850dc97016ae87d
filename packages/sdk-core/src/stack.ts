import type { EventFrame } from '@afterimage/protocol/event'
import { cleanAddress } from './clean-address.ts'
import { framesMax, stackLineCharactersMax } from './limits.ts'

/**
 * Name and place of a line. Visits a character at most a few times, for any input.
 * - Chrome: `at name (place)`, `at place`; route groups of Next put parentheses into addresses.
 * - Firefox and Safari: `name@place`; an address may hold an `@` itself, as `package@1.2.3` does.
 * - Safari, code without a function: an address with a position.
 */
const form =
  /^(?:at (?:async )?(?:([^(]+) \()?|(?:async[* ])?((?:(?!:\/\/)[^@])*)@|(?=\w[\w+.-]*:\/\/.+:\d+$))(.+?)(?::(\d+))?(?::(\d+))?\)?$/

/** Parses the frames of an error's `stack`, oldest first. The newest `skip` are left out. */
export function parseStack(stack: string, skip = 0): EventFrame[] {
  return stack
    .split('\n', 4 * framesMax)
    .flatMap(parseLine)
    .slice(skip, skip + framesMax)
    .reverse()
}

function parseLine(line: string): EventFrame[] {
  if (line.length > stackLineCharactersMax) return []
  // Evaluated code has no address of its own: the place of the outermost `eval` is used.
  const text = line
    .trim()
    .replace(/^(at (?:[^(]+ \()?)eval at .*\(([^()]*)\).*/, '$1$2')
    .replace(/ line (\d+) > .*/, ':$1')
  const [, called, name, address = '', lineno, colno] = form.exec(text) ?? []
  const isNative = !lineno && /native|<anonymous>/.test(address)
  if (!lineno && !isNative) return []
  return [
    {
      filename: cleanAddress(address),
      function: called || name || '?',
      lineno: Number(lineno) || undefined,
      colno: Number(colno) || undefined,
      in_app: !isNative,
    } as EventFrame,
  ]
}
