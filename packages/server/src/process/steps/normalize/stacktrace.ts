import type { EventFrame, EventStacktrace } from '@afterimage/protocol/event'
import { boundedBag } from './bag.ts'
import { isLibraryFrame } from './in-app.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { cut, isRecord, readInteger, readText } from './text.ts'

/**
 * Returns the frames of a stack trace, oldest first, or null when there are none. Beyond 250 frames,
 * the oldest and the newest half are kept. The 50 frames nearest to the throw keep source and variables.
 */
export function normalizeStacktrace(raw: unknown, platform: string): EventStacktrace | null {
  if (!isRecord(raw) || !Array.isArray(raw['frames'])) return null
  const sent = raw['frames'].filter(isRecord)
  if (sent.length === 0) return null
  const { frames: max, framesWithSource } = eventLimits
  const excess = sent.length - max
  const kept = excess > 0 ? [...sent.slice(0, max / 2), ...sent.slice(-max / 2)] : sent
  const saysInApp = kept.some((frame) => typeof frame['in_app'] === 'boolean')
  const frames = kept.map((frame, index) =>
    normalizeFrame(frame, {
      platform,
      inAppByDefault: !saysInApp,
      withSource: index >= kept.length - framesWithSource,
    }),
  )
  const omitted = excess > 0 ? ([max / 2, max / 2 + excess] as const) : readOmitted(raw)
  return omitted === null ? { frames } : { frames, frames_omitted: [...omitted] }
}

function readOmitted(raw: Record<string, unknown>): readonly [number, number] | null {
  const omitted = raw['frames_omitted']
  if (!Array.isArray(omitted)) return null
  const [from, to] = [readInteger(omitted[0]), readInteger(omitted[1])]
  return from === null || to === null ? null : [from, to]
}

interface FrameSettings {
  readonly platform: string
  /** True if frames that do not say are the application's. */
  readonly inAppByDefault: boolean
  readonly withSource: boolean
}

function normalizeFrame(raw: Record<string, unknown>, settings: FrameSettings): EventFrame {
  const platform = readText(raw['platform'], 64)
  const frame: EventFrame = { in_app: settings.inAppByDefault }
  addPlace(frame, raw)
  const origin = {
    platform: platform ?? settings.platform,
    path: frame.abs_path ?? frame.filename,
    function: frame.function,
  }
  if (typeof raw['in_app'] === 'boolean') frame.in_app = raw['in_app']
  if (frame.in_app && isLibraryFrame(origin)) frame.in_app = false
  if (platform !== null) frame.platform = platform
  if (settings.withSource) addSource(frame, raw)
  const data = boundedBag(raw['data'], bagLimits.small)
  if (data !== null) frame.data = data
  return frame
}

function addPlace(frame: EventFrame, raw: Record<string, unknown>): void {
  const absPath = readText(raw['abs_path'], eventLimits.url)
  const filename = readText(raw['filename'], eventLimits.url) ?? pathOf(absPath)
  if (filename !== null) frame.filename = filename
  if (absPath !== null) frame.abs_path = absPath
  const name = readText(raw['function'], eventLimits.label)
  if (name !== null && name !== '?') frame.function = name
  const texts = [
    ['raw_function', 'raw_function'],
    ['module', 'module'],
    ['package', 'package'],
    ['debug_id', 'debug_id'],
    ['instruction_addr', 'instruction_addr'],
  ] as const
  for (const [member, source] of texts) {
    const text = readText(raw[source], eventLimits.label)
    if (text !== null) frame[member] = text
  }
  const lineno = readInteger(raw['lineno'])
  if (lineno !== null) frame.lineno = lineno
  const colno = readInteger(raw['colno'])
  if (colno !== null) frame.colno = colno
}

/** The path of a URL, or the path as it is. */
function pathOf(absPath: string | null): string | null {
  if (absPath === null) return null
  const scheme = absPath.indexOf('://')
  if (scheme < 0) return absPath
  const slash = absPath.indexOf('/', scheme + 3)
  return slash < 0 ? absPath : absPath.slice(slash)
}

function addSource(frame: EventFrame, raw: Record<string, unknown>): void {
  if (typeof raw['context_line'] === 'string') {
    frame.context_line = cut(raw['context_line'], eventLimits.sourceLine)
  }
  const before = sourceLines(raw['pre_context'], -eventLimits.sourceLines)
  if (before !== null) frame.pre_context = before
  const after = sourceLines(raw['post_context'], 0)
  if (after !== null) frame.post_context = after
  const vars = boundedBag(
    Array.isArray(raw['vars']) ? Object.fromEntries(raw['vars'].entries()) : raw['vars'],
    bagLimits.medium,
  )
  if (vars !== null) frame.vars = vars
}

function sourceLines(raw: unknown, from: number): string[] | null {
  if (!Array.isArray(raw) || raw.length === 0) return null
  const kept: readonly unknown[] = raw.slice(from).slice(0, eventLimits.sourceLines)
  return kept.map((line) => (typeof line === 'string' ? cut(line, eventLimits.sourceLine) : ''))
}
