import type { EventFrame } from '@afterimage/protocol/event'
import { cleanAddress } from './clean-address.ts'
import { framesMax, stackLineCharactersMax } from './limits.ts'

/**
 * Patterns for name and place of a line. Each visits a character at most a few times, for any
 * input.
 */
const forms = [
  // Chrome: `at name (place)`, `at place`; route groups of Next put parentheses into addresses.
  /^at (?:async )?(?:([^(]+) \()?(.+?)\)?$/,
  // Firefox and Safari: `name@place`; an address may hold an `@` itself, as `package@1.2.3` does.
  /^(?:async[* ])?((?:(?!:\/\/)[^@])*)@(.+)$/,
  // Safari, code without a function.
  /^()(\w[\w+.-]*:\/\/.+:\d+)$/,
]

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
  const text = line.trim()
  const match = forms.map((form) => form.exec(text)).find(Boolean)
  // Evaluated code has no address of its own: the place of the outermost `eval` is used.
  const place = match?.[2]
    ?.replace(/^eval at .*\(([^()]*)\).*/, '$1')
    .replace(/ line (\d+) > .*/, ':$1')
  const [, address = '', lineno, colno] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(place ?? '') ?? []
  const isNative = !lineno && /native|<anonymous>/.test(address)
  if (!lineno && !isNative) return []
  return [
    {
      filename: cleanAddress(address),
      function: match?.[1] || '?',
      lineno: Number(lineno) || undefined,
      colno: Number(colno) || undefined,
      in_app: !isNative,
    } as EventFrame,
  ]
}
