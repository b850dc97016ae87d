import type { EventFrame, EventStacktrace, NormalizedEvent } from '@afterimage/protocol/event'

/** Frames of one script, wherever they stand in an event. */
export interface ScriptFrames {
  /** As the frames name it. */
  readonly url: string
  readonly debugId: string | null
  readonly frames: PlacedFrame[]
}

export interface PlacedFrame {
  readonly stack: Stack
  readonly index: number
}

/** A stack trace with the place of its original. */
export interface Stack {
  stacktrace?: EventStacktrace
  raw_stacktrace?: EventStacktrace
}

const scriptPlatforms = new Set(['javascript', 'node'])
/** Schemes of what no build wrote. */
const foreign = /^(?:node|native|data|chrome-extension|moz-extension|safari-(?:web-)?extension):/i
const noPlaces = new Set(['<anonymous>', '[native code]', 'native code', 'eval code', 'native'])

/** Lists the stacks of an event: of its exceptions, its own, and of its threads. */
export function stacksOf(event: NormalizedEvent): readonly Stack[] {
  return [...(event.exception ?? []), event, ...(event.threads ?? [])]
}

/** Gathers the frames that a source map could map, by their script. */
export function scriptsOf(event: NormalizedEvent): readonly ScriptFrames[] {
  const debugIds = debugIdsOf(event)
  const scripts = new Map<string, ScriptFrames>()
  for (const stack of stacksOf(event)) {
    for (const [index, frame] of (stack.stacktrace?.frames ?? []).entries()) {
      const url = urlOf(frame, event.platform)
      if (url === null) continue
      const debugId = frame.debug_id ?? debugIds.get(url) ?? debugIds.get(frame.filename ?? '')
      const key = `${url}\n${debugId ?? ''}`
      const script = scripts.get(key) ?? { url, debugId: debugId ?? null, frames: [] }
      scripts.set(key, script)
      script.frames.push({ stack, index })
    }
  }
  return [...scripts.values()]
}

function urlOf(frame: EventFrame, platform: string): string | null {
  if (!scriptPlatforms.has(frame.platform ?? platform)) return null
  if (frame.data?.['symbolicated'] === true || frame.lineno === undefined) return null
  const url = frame.abs_path ?? frame.filename ?? ''
  if (url === '' || noPlaces.has(url) || foreign.test(url)) return null
  return url
}

function debugIdsOf({ debug_meta }: NormalizedEvent): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const { type, code_file, debug_id } of debug_meta?.images ?? []) {
    if (type !== 'sourcemap' || typeof code_file !== 'string') continue
    if (typeof debug_id === 'string' && debug_id !== '') ids.set(code_file, debug_id)
  }
  return ids
}
