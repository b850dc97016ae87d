import type { EventFrame, EventStacktrace } from '@afterimage/protocol/event'

const scriptPlatforms = new Set(['javascript', 'node'])
const platformsWithContext = new Set(['javascript', 'node', 'python', 'php', 'ruby'])
const contextLineMax = 120

const noPlace = new Set(['[native code]', 'native code', 'eval code', '<anonymous>'])

const noName = new Set([
  '?',
  '<anonymous>',
  '<anonymous function>',
  'Anonymous function',
  'anonymous',
])

/** Code that compilers, SDKs and the runtime put between callers: it comes and goes with versions. */
const betweenFunctions = new Set([
  'processTicksAndRejections',
  'process.processTicksAndRejections',
  'process._tickCallback',
  'runMicrotasks',
  'runNextTicks',
  'nextTick',
  'sentryWrapped',
])
const betweenPaths =
  /[/\\](?:@babel|core-js|regenerator-runtime|tslib|newrelic|@sentry|@sentry-internal|@afterimage)[/\\]|logrocket|^node:|^internal\/|^timers\.js$/i

/** The parts of frames that locate an error, oldest first: of the application's, and of all. */
export interface FrameValues {
  readonly app: readonly string[]
  readonly system: readonly string[]
}

/** Returns the parts of the frames that locate an error. Frames that tell nothing have none. */
export function frameValues(
  stacktrace: EventStacktrace | undefined,
  platform: string,
): FrameValues {
  const app: string[] = []
  const system: string[] = []
  if (!stacktrace) return { app, system }
  let previous: EventFrame | null = null
  for (const frame of stacktrace.frames) {
    const isRecursion: boolean = previous !== null && isSamePlace(previous, frame)
    previous = frame
    const value = isRecursion ? null : frameValue(frame, frame.platform ?? platform)
    if (value === null) continue
    system.push(value)
    if (frame.in_app) app.push(value)
  }
  return { app, system }
}

function isSamePlace(one: EventFrame, other: EventFrame): boolean {
  return (
    one.function === other.function &&
    one.lineno === other.lineno &&
    one.colno === other.colno &&
    one.filename === other.filename &&
    one.abs_path === other.abs_path &&
    one.module === other.module &&
    one.package === other.package
  )
}

function frameValue(frame: EventFrame, platform: string): string | null {
  const isScript = scriptPlatforms.has(platform)
  const path = frame.abs_path ?? frame.filename ?? ''
  if (isScript && (noPlace.has(path) || isBetween(frame, path))) return null
  const name = functionName(frame, platform)
  const line = contextLine(frame, platform, name, path)
  const file = fileName(frame, isScript, path)
  if (name === null && line === null && file === null) return null
  // A script file alone names a bundle, not a place in it.
  if (isScript && name === null && line === null) return null
  return `${file ?? ''}\t${name ?? ''}\t${line ?? ''}`
}

function isBetween(frame: EventFrame, path: string): boolean {
  if (frame.function !== undefined && betweenFunctions.has(frame.function)) return true
  return betweenPaths.test(path)
}

function isUrl(path: string): boolean {
  return path.includes('://') || path.startsWith('file:') || path.startsWith('app:')
}

function functionName(frame: EventFrame, platform: string): string | null {
  const raw = frame.function?.trim()
  if (!raw || noName.has(raw)) return null
  const isScript = scriptPlatforms.has(platform)
  if (isScript && frame.context_line !== undefined && isMapped(frame)) return null
  const name = isScript ? raw.slice(raw.lastIndexOf('.') + 1) : nameWithoutNumbers(raw, platform)
  return name === '' || noName.has(name) || raw.endsWith('/<') ? null : name
}

/** With a source map, the name belongs to a minifier as often as to the application. */
function isMapped(frame: EventFrame): boolean {
  return frame.data?.['symbolicated'] === true || frame.data?.['sourcemap'] !== undefined
}

function nameWithoutNumbers(name: string, platform: string): string {
  if (platform === 'ruby') {
    return name.startsWith('block ') ? 'block' : name.replace(/_erb___\w{1,200}$/, '_erb')
  }
  if (platform === 'php') return name.replace(/\{closure[^}]{0,200}\}/, '{closure}')
  if (platform === 'java') return name.replace(/(lambda\$|\$\$)\w{1,200}/g, '$1')
  return name
}

function contextLine(
  frame: EventFrame,
  platform: string,
  name: string | null,
  path: string,
): string | null {
  if (frame.context_line === undefined || !platformsWithContext.has(platform)) return null
  const line = frame.context_line.replace(/\s+/g, ' ').trim()
  if (line === '' || line.length > contextLineMax) return null
  const isUnnamedScript = scriptPlatforms.has(platform) && name === null && isUrl(path)
  return isUnnamedScript && !isMapped(frame) ? null : line
}

function fileName(frame: EventFrame, isScript: boolean, path: string): string | null {
  const module = frame.module
  const isOnlyPath =
    module !== undefined && isScript && module.includes('/') && path.endsWith(module)
  if (module !== undefined && !isOnlyPath) return withoutGeneratedNumbers(module)
  const file = frame.filename
  if (file === undefined || noPlace.has(file) || (isScript && isUrl(path) && !isMapped(frame))) {
    return null
  }
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).toLowerCase()
}

/** Java names generated classes by number or hash: `Proxy$12`, `$$EnhancerBySpring$$1a2b3c`. */
function withoutGeneratedNumbers(module: string): string {
  return module.includes('$') ? module.replace(/\$\$?[0-9a-f]{1,32}(?![\w])/g, '$') : module
}
