import type { EventFrame, SymbolicationProblem } from '@afterimage/protocol/event'
import type { CompiledMap } from './compiled-map.ts'
import { cutLine } from './context-lines.ts'
import { contextLines } from './limits.ts'
import { isOwnSource, moduleOf, sourceAddress, sourcePath } from './source-path.ts'

/** The answer of a map to one position of its script. */
export interface MappedPlace {
  /** As the map has it. */
  readonly path: string
  readonly isIgnored: boolean
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Null without a name around the position; absent when the map does not know functions. */
  readonly functionName?: string | null
  /** The name at the position itself: there, of the function that is called. */
  readonly token: string | null
  /** Null when the text of the source is not there. */
  readonly context: SourceContext | null
}

export interface SourceContext {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

/** Asks a map for a position of the script; line and column from 1. */
export function placeAt(
  map: CompiledMap,
  line: number,
  column: number,
): MappedPlace | SymbolicationProblem {
  if (line < 1 || column < 1) return 'js_invalid_sourcemap_location'
  const position = map.position(line - 1, column - 1)
  if (position === null) return 'js_invalid_sourcemap_location'
  const place = {
    path: map.path(position.source),
    isIgnored: map.isIgnored(position.source),
    line: position.line + 1,
    column: position.column + 1,
    token: map.name(position.name),
    context: contextAt(map, position),
  }
  if (!map.knowsFunctions) return place
  return { ...place, functionName: map.functionAt(line - 1, column - 1) }
}

function contextAt(
  map: CompiledMap,
  { source, line, column }: { source: number; line: number; column: number },
): SourceContext | null {
  const count = map.lineCount(source)
  if (count === null || line >= count) return null
  const lines = map.lines(source, line - contextLines, line + contextLines + 1)
  const own = Math.min(line, contextLines)
  return {
    before: lines.slice(0, own).map((text) => cutLine(text, 0)),
    line: cutLine(lines[own]!, column),
    after: lines.slice(own + 1).map((text) => cutLine(text, 0)),
  }
}

/** Words of bundlers, which name no function of the application. */
const bundlersWords = new Set([
  '__webpack_require__',
  '__webpack_modules__',
  '__turbopack_require__',
])

/** The script of a frame, with what was found for it, and the frame that called it. */
export interface FrameOrigin {
  readonly script: string
  /** The uploaded map. */
  readonly sourceMap: string
  readonly resolvedWith: string
  /** Null when the calling frame is not mapped, or there is none. */
  readonly caller: MappedPlace | null
  readonly hasContext: boolean
}

/** Returns a frame as its source has it. Variables and platform stay, the script's own lines go. */
export function mappedFrame(
  frame: EventFrame,
  place: MappedPlace,
  origin: FrameOrigin,
): EventFrame {
  const { pre_context: _, context_line: __, post_context: ___, function: raw, ...kept } = frame
  const filename = sourcePath(place.path)
  const name = functionName(raw, place, origin.caller)
  const { context } = place
  return {
    ...kept,
    filename,
    abs_path: sourceAddress(place.path, origin.script),
    module: moduleOf(filename),
    lineno: place.line,
    colno: place.column,
    ...(name !== undefined && { function: name }),
    ...(raw !== undefined && raw !== name && { raw_function: raw }),
    in_app: frame.in_app && !place.isIgnored && isOwnSource(place.path, filename),
    ...(context !== null &&
      origin.hasContext && {
        pre_context: [...context.before],
        context_line: context.line,
        post_context: [...context.after],
      }),
    data: {
      ...frame.data,
      sourcemap: origin.sourceMap,
      symbolicated: true,
      resolved_with: origin.resolvedWith,
      ...(context === null && { problem: 'js_missing_sources_content' }),
    },
  }
}

/** Returns the name of the function around the position, else of what the caller called, else the frame's. */
function functionName(
  raw: string | undefined,
  place: MappedPlace,
  caller: MappedPlace | null,
): string | undefined {
  if (place.functionName !== undefined) {
    return place.functionName ?? (raw === undefined ? undefined : '<anonymous>')
  }
  const called = caller?.token ?? null
  return called === null || bundlersWords.has(called) ? raw : called
}
