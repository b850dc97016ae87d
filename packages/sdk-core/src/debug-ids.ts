import type { DebugImage } from '@afterimage/protocol/event-payload'
import type { SdkEvent } from './event.ts'
import { parseStack } from './stack.ts'

/**
 * Debug ids by the stack of a file's snippet. Bundler plugins write the first, our build the other.
 */
export interface DebugIdGlobals {
  readonly _sentryDebugIds?: Readonly<Record<string, string>>
  readonly _afterimageDebugIds?: Readonly<Record<string, string>>
}

/** Files by their snippet's stack: parsing hundreds of stacks for every event would be slow. */
const files = new Map<string, string | undefined>()

/**
 * Returns the debug ids of the files that an event's frames name, which lead to their source maps.
 */
export function debugImages(event: SdkEvent): DebugImage[] {
  const { _sentryDebugIds, _afterimageDebugIds } = globalThis as DebugIdGlobals
  const frames = event.exception?.values.flatMap((it) => it.stacktrace?.frames ?? [])
  const ids = Object.entries({ ..._sentryDebugIds, ..._afterimageDebugIds })
  return ids.flatMap(([stack, debug_id]) => {
    const code_file = files.get(stack) ?? parseStack(stack).at(-1)?.filename
    files.set(stack, code_file)
    return code_file && frames?.some((frame) => frame.filename === code_file)
      ? [{ type: 'sourcemap', code_file, debug_id }]
      : []
  })
}
