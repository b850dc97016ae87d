/** The fate of one option: kept, renamed, or removed for a reason; or kept with a remark. */
export type Fate =
  | { readonly kind: 'same' }
  | { readonly kind: 'renamed'; readonly to: string }
  | { readonly kind: 'removed'; readonly why: string }
  | { readonly kind: 'remark'; readonly why: string }

type Fates = Readonly<Record<string, Fate>>

function same(names: string): Fates {
  return Object.fromEntries(names.split(' ').map((name) => [name, { kind: 'same' }]))
}

function renamed(names: Readonly<Record<string, string>>): Fates {
  return Object.fromEntries(
    Object.entries(names).map(([name, to]) => [name, { kind: 'renamed', to }]),
  )
}

function removed(why: string, names: string): Fates {
  return Object.fromEntries(names.split(' ').map((name) => [name, { kind: 'removed', why }]))
}

function remark(why: string, names: string): Fates {
  return Object.fromEntries(names.split(' ').map((name) => [name, { kind: 'remark', why }]))
}

const init: Fates = {
  ...same(
    'allowUrls beforeBreadcrumb beforeSend beforeSendSpan beforeSendTransaction denyUrls dist enabled environment ignoreErrors ignoreTransactions initialScope integrations maxBreadcrumbs normalizeDepth propagateTraceparent release replaysOnErrorSampleRate replaysSessionSampleRate sampleRate tracePropagationTargets tracesSampleRate tracesSampler',
  ),
  ...remark('give it the DSN of your project on the Afterimage server', 'dsn'),
  ...remark('remove it, and write app.use(afterimagePlugin) of @afterimage/vue', 'app Vue'),
  ...remark(
    'reports go to /monitoring of your own host unless it names another path; see docs/sdk/tunnel.md',
    'tunnel',
  ),
  ...removed('sessions are always reported', 'autoSessionTracking'),
  ...removed('messages have no stack: report an Error for one', 'attachStacktrace'),
  ...removed('a development build always warns on the console', 'debug'),
  ...removed(
    'personal data are not collected; setUser sends what you name',
    'sendDefaultPii dataCollection',
  ),
  ...removed('client reports are always sent', 'sendClientReports'),
  ...removed(
    'there is no profiler',
    'profilesSampleRate profilesSampler profileSessionSampleRate profileLifecycle',
  ),
  ...removed('addresses and texts have fixed limits', 'maxValueLength normalizeMaxBreadth'),
  ...removed('it configures parts of the other client', '_experiments spotlight'),
  ...removed('transactions are sent whole when their root ends', 'traceLifecycle'),
  ...remark(
    'the default integrations are fixed; pass a function as `integrations`',
    'defaultIntegrations',
  ),
  ...remark(
    'the transport is fixed; `tunnel` names where reports go',
    'transport transportOptions',
  ),
}

const tracing: Fates = {
  ...renamed({
    idleTimeout: 'idleTimeoutMs',
    childSpanTimeout: 'childTimeoutMs',
    finalTimeout: 'finalTimeoutMs',
    instrumentPageLoad: 'pageLoad',
    instrumentNavigation: 'navigation',
  }),
  ...same('router tracePropagationTargets'),
  ...removed(
    'requests, long frames and web vitals are always measured',
    'traceFetch traceXHR enableLongTask enableLongAnimationFrame enableInp enableHTTPTimings trackFetchStreamPerformance markBackgroundSpan linkPreviousTrace detectRedirects',
  ),
  ...remark(
    'use ignoreTransactions, or nameOfPath for names',
    'shouldCreateSpanForRequest beforeStartSpan',
  ),
}

const replay: Fates = {
  ...renamed({
    minReplayDuration: 'minMs',
    maxReplayDuration: 'maxMs',
    mutationLimit: 'mutationsMax',
    mutationBreadcrumbLimit: 'mutationsNotable',
    slowClickTimeout: 'slowClickMs',
    stickySession: 'isSticky',
    beforeAddRecordingEvent: 'beforeAdd',
  }),
  ...same('workerUrl'),
  ...removed('the recorder always compresses', 'useCompression useCompressionForBuffer'),
  ...remark(
    'all is masked unless `unmask` names a selector; `html` unmasks the page but its passwords, cards and codes',
    'maskAllText maskAllInputs maskAttributes',
  ),
  ...remark('all media are blocked unless `unblock` names a selector', 'blockAllMedia'),
  ...remark('it is one selector: join a list with commas', 'mask unmask block unblock ignore'),
  ...remark('it is one selector: `slowClickIgnore`', 'slowClickIgnoreSelectors'),
  ...remark(
    'it belongs in `network`: allow, deny, requestHeaders, responseHeaders, hasBodies',
    'networkDetailAllowUrls networkDetailDenyUrls networkCaptureBodies networkRequestHeaders networkResponseHeaders',
  ),
}

const canvas: Fates = {
  ...remark('it is `sideMax`, one number', 'maxCanvasSize'),
  ...remark('it is a number from 0 to 1; `framesPerSecond` is the rate', 'quality'),
  ...remark('`framesPerSecond: 0` records by `snapshot` alone', 'enableManualSnapshot'),
}

const span: Fates = {
  ...same('attributes name op parentSpan'),
  ...remark('it is `startedAt`, in milliseconds since the epoch', 'startTime'),
  ...remark('`parentSpan: null` begins a transaction', 'forceTransaction'),
  ...remark('a span without a parent begins a transaction', 'onlyIfParent'),
}

const initServer: Fates = {
  ...same('environment release beforeSend'),
  ...remark('give it the DSN of your project on the Afterimage server', 'dsn'),
}

/** The options of each function whose first argument has some, by the name of Sentry. */
export const callOptions: Readonly<Record<string, Fates>> = {
  init,
  browserTracingIntegration: tracing,
  captureConsoleIntegration: same('handled levels'),
  extraErrorDataIntegration: same('captureErrorCause depth'),
  httpClientIntegration: same('failedRequestStatusCodes failedRequestTargets'),
  replayCanvasIntegration: canvas,
  replayIntegration: replay,
  reportingObserverIntegration: same('types'),
  rewriteFramesIntegration: same('iteratee prefix root'),
  thirdPartyErrorFilterIntegration: {
    ...same('behaviour'),
    ...remark('build plugins mark no modules; `ownUrls` names your own addresses', 'filterKeys'),
  },
  webWorkerIntegration: remark('it is `workers`, a list', 'worker'),
  startSpan: span,
  startInactiveSpan: span,
}

/** The options of `init` on the server side of Next. */
export const serverInitOptions = initServer

/** Returns the fate of an option; those that no table has are kept, with a remark. */
export function fateOf(fates: Fates, name: string): Fate {
  return Object.hasOwn(fates, name)
    ? fates[name]!
    : { kind: 'remark', why: 'our client has no option of this name' }
}
