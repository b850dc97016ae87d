import { replayIntegration as ownReplay } from '@afterimage/replay'
import type { ReplayIntegration, ReplayLoaderOptions } from '@afterimage/replay'
import { replayCanvas } from '@afterimage/replay/canvas'
import type { ReplayCanvas } from '@afterimage/replay/canvas'
import type { Integration } from '@afterimage/sdk-core/integration'
import { captureConsole } from '../integrations/capture-console.ts'
import { extraErrorData } from '../integrations/extra-error-data.ts'
import { featureFlags } from '../integrations/feature-flags.ts'
import { httpClient } from '../integrations/http-client.ts'
import { reportingObserver } from '../integrations/reporting-observer.ts'
import { rewriteFrames } from '../integrations/rewrite-frames.ts'
import { thirdPartyErrorFilter } from '../integrations/third-party-errors.ts'
import { webWorkers } from '../integrations/web-workers.ts'
import { browserTracing } from '../tracing/browser-tracing.ts'
import { absentIntegration, includedIntegration, warnOfOthers } from './absent.ts'

export const captureConsoleIntegration = captureConsole
export const extraErrorDataIntegration = extraErrorData
export const featureFlagsIntegration = featureFlags
export const httpClientIntegration = httpClient
export const reportingObserverIntegration = reportingObserver
export const rewriteFramesIntegration = rewriteFrames
export const thirdPartyErrorFilterIntegration = thirdPartyErrorFilter

export function webWorkerIntegration(options: {
  readonly worker: Worker | readonly Worker[]
}): ReturnType<typeof webWorkers> {
  return webWorkers({ workers: [options.worker].flat() })
}

export const breadcrumbsIntegration = /* @__PURE__ */ includedIntegration('Breadcrumbs')
export const browserApiErrorsIntegration = /* @__PURE__ */ includedIntegration('BrowserApiErrors')
export const browserSessionIntegration = /* @__PURE__ */ includedIntegration('BrowserSession')
export const cultureContextIntegration = /* @__PURE__ */ includedIntegration('CultureContext')
export const dedupeIntegration = /* @__PURE__ */ includedIntegration('Dedupe')
export const eventFiltersIntegration = /* @__PURE__ */ includedIntegration('EventFilters')
export const functionToStringIntegration = /* @__PURE__ */ includedIntegration('FunctionToString')
export const globalHandlersIntegration = /* @__PURE__ */ includedIntegration('GlobalHandlers')
export const httpContextIntegration = /* @__PURE__ */ includedIntegration('HttpContext')
export const inboundFiltersIntegration = /* @__PURE__ */ includedIntegration('EventFilters')
export const linkedErrorsIntegration = /* @__PURE__ */ includedIntegration('LinkedErrors')

export const browserProfilingIntegration = /* @__PURE__ */ absentIntegration('BrowserProfiling')
export const consoleLoggingIntegration = /* @__PURE__ */ absentIntegration('ConsoleLogs')
export const contextLinesIntegration = /* @__PURE__ */ absentIntegration('ContextLines')
export const graphqlClientIntegration = /* @__PURE__ */ absentIntegration('GraphQLClient')
export const moduleMetadataIntegration = /* @__PURE__ */ absentIntegration('ModuleMetadata')

interface TracingOptions {
  readonly idleTimeout?: number
  readonly childSpanTimeout?: number
  readonly finalTimeout?: number
  readonly instrumentPageLoad?: boolean
  readonly instrumentNavigation?: boolean
  readonly [option: string]: unknown
}

export function browserTracingIntegration(options: TracingOptions = {}): Integration {
  const { idleTimeout, childSpanTimeout, finalTimeout, ...rest } = options
  const { instrumentPageLoad = true, instrumentNavigation = true, ...others } = rest
  warnOfOthers('browserTracingIntegration', others)
  return browserTracing({
    pageLoad: instrumentPageLoad,
    navigation: instrumentNavigation,
    ...(idleTimeout !== undefined && { idleTimeoutMs: idleTimeout }),
    ...(childSpanTimeout !== undefined && { childTimeoutMs: childSpanTimeout }),
    ...(finalTimeout !== undefined && { finalTimeoutMs: finalTimeout }),
  })
}

interface ReplayOptions {
  readonly maskAllText?: boolean
  readonly maskAllInputs?: boolean
  readonly blockAllMedia?: boolean
  readonly mask?: readonly string[]
  readonly unmask?: readonly string[]
  readonly block?: readonly string[]
  readonly unblock?: readonly string[]
  readonly ignore?: readonly string[]
  readonly minReplayDuration?: number
  readonly maxReplayDuration?: number
  readonly stickySession?: boolean
  readonly workerUrl?: string
  readonly networkDetailAllowUrls?: readonly (string | RegExp)[]
  readonly networkDetailDenyUrls?: readonly (string | RegExp)[]
  readonly networkCaptureBodies?: boolean
  readonly networkRequestHeaders?: readonly string[]
  readonly networkResponseHeaders?: readonly string[]
  readonly [option: string]: unknown
}

interface Replay extends ReplayIntegration {
  getReplayId(): string | undefined
}

let replay: Replay | undefined

/** Records the page. The elements that the other client's marks name are masked and blocked too. */
export function replayIntegration(options: ReplayOptions = {}): Replay {
  const own = ownReplay(ofReplay(options))
  replay = Object.assign(own, { getReplayId: () => own.replayId() ?? undefined })
  return replay
}

export function getReplay(): Replay | undefined {
  return replay
}

const media = 'img,svg,video,object,picture,embed,map,audio,canvas'

interface CanvasOptions {
  readonly enableManualSnapshot?: boolean
  readonly maxCanvasSize?: readonly [width: number, height: number]
  readonly quality?: keyof typeof canvasQualities
  readonly [option: string]: unknown
}

const canvasQualities = {
  low: { framesPerSecond: 1, quality: 0.25 },
  medium: { framesPerSecond: 2, quality: 0.4 },
  high: { framesPerSecond: 4, quality: 0.5 },
} as const

/** Adds the canvases that the options of the replay unblock. The other client shows all. */
export function replayCanvasIntegration(options: CanvasOptions = {}): ReplayCanvas {
  const { enableManualSnapshot, maxCanvasSize, quality = 'medium', ...others } = options
  warnOfOthers('replayCanvasIntegration', others)
  return replayCanvas({
    ...canvasQualities[quality],
    ...(enableManualSnapshot && { framesPerSecond: 0 }),
    ...(maxCanvasSize && { sideMax: Math.min(...maxCanvasSize) }),
  })
}

function ofReplay(options: ReplayOptions): ReplayLoaderOptions {
  const { maskAllText = true, maskAllInputs = true, blockAllMedia = true, ...rest } = options
  const { mask, unmask, block, unblock, ignore, networkDetailAllowUrls: allow, ...more } = rest
  const { networkDetailDenyUrls, networkCaptureBodies, networkRequestHeaders, ...others } = more
  const { minReplayDuration, maxReplayDuration, stickySession, workerUrl, ...unknown } = others
  const { networkResponseHeaders, ...without } = unknown
  warnOfOthers('replayIntegration', without)
  const shows = !maskAllText || undefined
  return defined({
    mask: selector(mask, marks('mask'), shows && maskAllInputs && 'input,textarea,select'),
    unmask: selector(unmask, marks('unmask'), shows && 'html'),
    block: selector(block, marks('block')),
    unblock: selector(unblock, marks('unblock'), !blockAllMedia && media),
    ignore: selector(ignore, marks('ignore')),
    minMs: minReplayDuration,
    maxMs: maxReplayDuration,
    isSticky: stickySession,
    workerUrl,
    network: allow && {
      allow,
      deny: networkDetailDenyUrls ?? [],
      hasBodies: networkCaptureBodies ?? true,
      requestHeaders: networkRequestHeaders ?? [],
      responseHeaders: networkResponseHeaders ?? [],
    },
  })
}

function marks(name: string): string {
  return `.sentry-${name},[data-sentry-${name}]`
}

function selector(list: readonly string[] = [], ...more: (string | false | undefined)[]): string {
  return [...list, ...more.filter(Boolean)].join(',')
}

function defined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never
}
