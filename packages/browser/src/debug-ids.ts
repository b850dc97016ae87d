import type { DebugImage } from '@afterimage/protocol/event-payload'
import type { SdkEvent } from './event.ts'
import { guard } from './guard.ts'
import { parseStack } from './stack.ts'

/** Stack of a file's own snippet → debug id. Bundler plugins write the first, our build the other. */
type DebugIds = Readonly<Record<string, string>> | undefined

interface DebugIdGlobals {
  readonly _sentryDebugIds?: DebugIds
  readonly _afterimageDebugIds?: DebugIds
}

const known = new Map<string, { readonly file: string; readonly id: string } | null>()

/** Ties the files that an event's frames name to their source maps. */
export function debugImages(event: SdkEvent): DebugImage[] {
  const { _sentryDebugIds, _afterimageDebugIds } = globalThis as DebugIdGlobals
  const ids = { ..._sentryDebugIds, ..._afterimageDebugIds }
  const files = new Map<string, string>()
  for (const stack of Object.keys(ids)) {
    if (!known.has(stack))
      known.set(
        stack,
        guard(() => readSnippet(stack, ids[stack]), null),
      )
    const found = known.get(stack)
    if (found) files.set(found.file, found.id)
  }
  if (files.size === 0) return []
  const named = new Set(
    event.exception?.values.flatMap(
      (it) => it.stacktrace?.frames?.map((frame) => frame.filename) ?? [],
    ),
  )
  return [...files]
    .filter(([file]) => named.has(file))
    .map(([file, id]) => ({ type: 'sourcemap', code_file: file, debug_id: id }))
}

function readSnippet(stack: string, id: string | undefined) {
  const file = parseStack(stack).at(-1)?.filename
  return file && id ? { file, id } : null
}
