/** Maps the frames of an event to their sources, and notes what stood in the way. */
import type {
  EventFrame,
  NormalizedEvent,
  ScriptSymbolication,
  SymbolicationProblem,
} from '@afterimage/protocol/event'
import type { Log } from '../log.ts'
import { readArtifact, type FoundArtifacts } from '../source-maps/artifacts.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import type { CompiledMaps, ReadUploads } from './compiled-maps.ts'
import { framesWithContext, mapBytesMax, scopedScriptBytesMax, scriptsMax } from './limits.ts'
import { mappedFrame, placeAt, type FrameOrigin, type MappedPlace } from './mapped-frame.ts'
import { scriptsOf, type PlacedFrame, type ScriptFrames, type Stack } from './script-frames.ts'
import type { ScriptSearch } from './script-search.ts'
import type { UnusableMap } from './source-map.ts'

export interface SymbolicationDependencies {
  readonly search: Pick<ScriptSearch, 'find'>
  readonly blobs: Blobs
  readonly maps: CompiledMaps
  readonly log: Pick<Log, 'warn'>
}

/**
 * Maps the frames of an event in place: mapped stacks keep their original as `raw_stacktrace`, and
 * `symbolication` says what came of each script. Frames that are mapped already stay as they are.
 * `generation` is that of the project's uploads.
 * @throws STORAGE_FAILED when metadata cannot be read
 */
export async function symbolicateFrames(
  event: NormalizedEvent,
  project: { readonly id: number; readonly generation: number },
  dependencies: SymbolicationDependencies,
): Promise<void> {
  const scripts: ScriptSymbolication[] = []
  const mapped: MappedScript[] = []
  for (const script of scriptsOf(event).slice(0, scriptsMax)) {
    const wanted = {
      projectId: project.id,
      debugId: script.debugId,
      release: event.release ?? null,
      dist: event.dist ?? null,
      url: script.url,
    }
    const found = await dependencies.search.find(wanted, project.generation)
    const places = await placesOf(event, script, found, dependencies)
    scripts.push(verdictOf(script, found, places))
    if (found !== null && !('problem' in places))
      mapped.push({ script, found, places: places.places })
  }
  if (scripts.length > 0) event.symbolication = { scripts }
  applyPlaces(mapped)
}

/** The places of a script's frames, in their order; a problem where there is none. */
interface MappedScript {
  readonly script: ScriptFrames
  readonly found: FoundArtifacts
  readonly places: readonly (MappedPlace | SymbolicationProblem)[]
}

interface ScriptProblem {
  readonly problem: SymbolicationProblem
  readonly detail?: string
}

async function placesOf(
  event: NormalizedEvent,
  { frames }: ScriptFrames,
  found: FoundArtifacts | null,
  { maps, blobs, log }: SymbolicationDependencies,
): Promise<Pick<MappedScript, 'places'> | ScriptProblem> {
  if (found === null) return { problem: 'js_no_source' }
  const { minified, sourceMap } = found
  const isInline = minified?.sourceMapReference?.startsWith('data:') === true
  if (sourceMap === null && !isInline) return { problem: 'js_missing_sourcemap' }
  const key = `${sourceMap?.sha1 ?? 'inline'}-${minified?.sha1 ?? 'alone'}`
  try {
    const answer = await maps.ask(key, readerOf(found, blobs), (map) => ({
      places: frames.map(({ stack, index }) => {
        const { lineno = 0, colno = 0 } = stack.stacktrace!.frames[index]!
        return placeAt(map, lineno, colno)
      }),
    }))
    if (!('unusable' in answer)) return answer
    return {
      problem: answer.isPassing ? 'js_not_ready' : 'js_invalid_sourcemap',
      detail: answer.unusable,
    }
  } catch (error) {
    // An event is worth more than its source: it is stored as it came.
    log.warn({ err: error, eventId: event.event_id }, 'a source map could not be read')
    return { problem: 'js_not_ready', detail: 'The source map could not be read.' }
  }
}

function readerOf({ minified, sourceMap }: FoundArtifacts, blobs: Blobs): ReadUploads {
  return async () => {
    if (sourceMap !== null && sourceMap.bytes > mapBytesMax) return tooLarge(sourceMap.bytes)
    const scriptMax = sourceMap === null ? mapBytesMax : scopedScriptBytesMax
    const isScriptRead = minified !== null && minified.bytes <= scriptMax
    if (sourceMap === null && !isScriptRead) return tooLarge(minified?.bytes ?? 0)
    return {
      map: sourceMap === null ? null : await readArtifact(blobs, sourceMap),
      script: isScriptRead ? await readArtifact(blobs, minified) : null,
    }
  }
}

function tooLarge(bytes: number): UnusableMap {
  return { unusable: `The map has ${bytes} bytes; ${mapBytesMax} are allowed.` }
}

function verdictOf(
  { url, debugId, frames }: ScriptFrames,
  found: FoundArtifacts | null,
  places: Pick<MappedScript, 'places'> | ScriptProblem,
): ScriptSymbolication {
  const mapped = 'places' in places ? places.places.filter((it) => typeof it !== 'string') : []
  return {
    url,
    ...(debugId !== null && { debug_id: debugId }),
    ...(found !== null && { resolved_with: found.resolvedWith }),
    ...(found?.minified && { script: found.minified.url }),
    ...(found?.sourceMap && { source_map: found.sourceMap.url }),
    frames: frames.length,
    mapped: mapped.length,
    ...('problem' in places && places),
  }
}

function applyPlaces(scripts: readonly MappedScript[]): void {
  const placed = new Map<Stack, Map<number, { place: MappedPlace; from: MappedScript }>>()
  for (const from of scripts) {
    for (const [number, { stack, index }] of from.script.frames.entries()) {
      const place = from.places[number]!
      if (typeof place === 'string') {
        noteProblem({ stack, index }, place)
        continue
      }
      const ofStack =
        placed.get(stack) ?? new Map<number, { place: MappedPlace; from: MappedScript }>()
      placed.set(stack, ofStack.set(index, { place, from }))
    }
  }
  for (const [stack, places] of placed) {
    const original = stack.stacktrace!
    const { length } = original.frames
    const frames = original.frames.map((frame, index): EventFrame => {
      const { place, from } = places.get(index) ?? {}
      if (place === undefined || from === undefined) return frame
      const origin: FrameOrigin = {
        script: from.script.url,
        sourceMap: from.found.sourceMap?.url ?? `${from.script.url} (inline)`,
        resolvedWith: from.found.resolvedWith,
        caller: places.get(index - 1)?.place ?? null,
        hasContext: index >= length - framesWithContext,
      }
      return mappedFrame(frame, place, origin)
    })
    stack.raw_stacktrace ??= original
    stack.stacktrace = { ...original, frames }
  }
}

function noteProblem({ stack, index }: PlacedFrame, problem: SymbolicationProblem): void {
  const { frames } = stack.stacktrace!
  frames[index] = { ...frames[index]!, data: { ...frames[index]!.data, problem } }
}
