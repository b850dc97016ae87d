import type { EventLevel, EventProblem } from '@afterimage/protocol/event'
import { eventLimits } from './limits.ts'
import { addProblem, readText } from './text.ts'

const platforms = new Set(
  (
    'as3 c cfml cocoa csharp elixir go groovy haskell java javascript native node objc other ' +
    'perl php python ruby'
  ).split(' '),
)

/** A platform we know, else `other`. */
export function readPlatform(value: unknown): string {
  return typeof value === 'string' && platforms.has(value) ? value : 'other'
}

/** A release name; null, with a problem, for names that no release can have. */
export function readRelease(value: unknown, problems: EventProblem[]): string | null {
  const name = readName(value, /[\n\r\t\f/\\]/, eventLimits.release, 'release', problems)
  if (name !== '.' && name !== '..' && name !== 'latest') return name
  addProblem(problems, 'invalid_data', 'release', value)
  return null
}

export function readEnvironment(value: unknown, problems: EventProblem[]): string | null {
  const max = eventLimits.environment
  const name = readName(value, /[\n\r\f/]/, max, 'environment', problems)
  if (name === null || name.toLowerCase() !== 'none') return name
  addProblem(problems, 'invalid_data', 'environment', value)
  return null
}

/** A distribution means something only together with its release. */
export function readDist(
  value: unknown,
  release: string | null,
  problems: EventProblem[],
): string | null {
  const dist = readName(value, /[^a-zA-Z0-9_.-]/, eventLimits.dist, 'dist', problems)
  return release === null ? null : dist
}

function readName(
  value: unknown,
  forbidden: RegExp,
  max: number,
  name: string,
  problems: EventProblem[],
): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'object' ? null : String(value).trim()
  if (text === '') return null
  if (text !== null && text.length <= max && !forbidden.test(text)) return text
  addProblem(problems, 'invalid_data', name, value)
  return null
}

const levels: Readonly<Record<string, EventLevel>> = {
  fatal: 'fatal',
  critical: 'fatal',
  error: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  log: 'info',
  debug: 'debug',
  trace: 'debug',
  sample: 'sample',
}

/** The levels' names, the old spellings of them, and the numbers of Python's logging; null for others. */
export function readLevel(value: unknown): EventLevel | null {
  const text = readText(value, 32)
  if (text === null) return null
  const name = text.toLowerCase()
  if (Object.hasOwn(levels, name)) return levels[name]!
  const number = Number(name)
  if (!(number >= 1)) return null
  if (number >= 50) return 'fatal'
  if (number >= 40) return 'error'
  if (number >= 30) return 'warning'
  return number >= 20 ? 'info' : 'debug'
}
