/**
 * The names of Sentry's packages for web pages, and where ours are. Names of entries that this
 * repository does not have yet belong in no table: the codemod leaves them alone and lists them.
 */

/** A name of ours, and the entry that exports it. */
export interface Place {
  readonly from: string
  readonly name: string
  /** A difference that a person has to know. */
  readonly note?: string
  /** The other client has a class of this name, and we a type: only types move. */
  readonly isType?: true
  /** The members of the result that mean the same; a file that uses others keeps the name. */
  readonly members?: ReadonlySet<string>
}

type Places = Readonly<Record<string, Place>>

const browserEntry = '@afterimage/browser'
const nextClient = '@afterimage/next/client'
const kitServer = '@afterimage/svelte/kit-server'
const nextServer = '@afterimage/next/server'

function same(from: string, names: string): Places {
  return Object.fromEntries(names.split(' ').map((name) => [name, { from, name }]))
}

/** The same names in an entry that re-exports them. */
function within(from: string, places: Places): Places {
  return Object.fromEntries(
    Object.entries(places).map(([sentry, place]) => [sentry, { ...place, from }]),
  )
}

const scopeMembers = new Set(
  'setContext setExtra setExtras setFingerprint setLevel setTag setTags setUser update'.split(' '),
)

const clientMembers = new Set(['close', 'flush'])

const capturing: Places = {
  ...same(
    browserEntry,
    'addBreadcrumb captureEvent captureException captureFeedback captureMessage close flush init lastEventId setContext setExtra setTag setTags setUser Breadcrumb Client Integration',
  ),
  getClient: { from: browserEntry, name: 'getClient', members: clientMembers },
  getCurrentScope: { from: browserEntry, name: 'getScope', members: scopeMembers },
  withScope: { from: browserEntry, name: 'withScope', members: scopeMembers },
  Scope: { from: browserEntry, name: 'Scope', isType: true },
  BrowserOptions: { from: browserEntry, name: 'Options' },
  ErrorEvent: { from: browserEntry, name: 'SdkEvent' },
  Event: { from: browserEntry, name: 'SdkEvent' },
  EventHint: { from: browserEntry, name: 'Hint' },
}

const scopesEntry = '@afterimage/browser/scopes'
const scopes: Places = {
  ...same(scopesEntry, 'addEventProcessor setExtras EventProcessor'),
  getIsolationScope: { from: scopesEntry, name: 'getIsolationScope', members: scopeMembers },
  withIsolationScope: { from: scopesEntry, name: 'withIsolationScope', members: scopeMembers },
}

const tracing: Places = {
  ...same(
    '@afterimage/browser/tracing',
    'continueTrace getActiveSpan startInactiveSpan startSpan Span',
  ),
  browserTracingIntegration: { from: '@afterimage/browser/tracing', name: 'browserTracing' },
}

const integrations: Places = {
  captureConsoleIntegration: {
    from: '@afterimage/browser/capture-console',
    name: 'captureConsole',
  },
  extraErrorDataIntegration: {
    from: '@afterimage/browser/extra-error-data',
    name: 'extraErrorData',
  },
  featureFlagsIntegration: { from: '@afterimage/browser/feature-flags', name: 'featureFlags' },
  httpClientIntegration: { from: '@afterimage/browser/http-client', name: 'httpClient' },
  logger: {
    from: '@afterimage/browser/logger',
    name: 'logger',
    note: 'add logsIntegration() of the same entry to the integrations of init',
  },
  metrics: {
    from: '@afterimage/browser/metrics',
    name: 'metrics',
    note: 'add metricsIntegration() of the same entry to the integrations of init',
  },
  registerWebWorker: {
    from: '@afterimage/browser/worker',
    name: 'registerWorker',
    note: 'it takes no arguments',
  },
  reportingObserverIntegration: {
    from: '@afterimage/browser/reporting-observer',
    name: 'reportingObserver',
  },
  rewriteFramesIntegration: { from: '@afterimage/browser/rewrite-frames', name: 'rewriteFrames' },
  thirdPartyErrorFilterIntegration: {
    from: '@afterimage/browser/third-party-errors',
    name: 'thirdPartyErrorFilter',
  },
  webWorkerIntegration: { from: '@afterimage/browser/web-workers', name: 'webWorkers' },
}

const browser: Places = {
  ...capturing,
  ...scopes,
  ...tracing,
  ...integrations,
  ...same('@afterimage/replay', 'replayIntegration'),
  replayCanvasIntegration: {
    from: '@afterimage/replay/canvas',
    name: 'replayCanvas',
    note: 'it records the canvases that the option unblock of replayIntegration names',
  },
}

/** `@afterimage/next/client` re-exports both entries of the browser, and adds its own `init`. */
const nextBrowser: Places = {
  ...within(nextClient, { ...capturing, ...tracing }),
  captureRouterTransitionStart: { from: nextClient, name: 'onRouterTransitionStart' },
}

const nextOnServer: Places = {
  init: { from: nextServer, name: 'initServer' },
  captureRequestError: { from: nextServer, name: 'onRequestError' },
}

/** `@afterimage/react` re-exports both entries of the browser. */
const react: Places = {
  ...browser,
  ...within('@afterimage/react', { ...capturing, ...tracing }),
  ...same(
    '@afterimage/react',
    'ErrorBoundary ErrorBoundaryProps Profiler reactErrorHandler useProfiler withErrorBoundary withProfiler',
  ),
}

const vue: Places = {
  ...browser,
  browserTracingIntegration: {
    from: '@afterimage/vue',
    name: 'browserTracing',
    note: 'with the option `router`, pages have the names of their routes',
  },
}

const kitInBrowser: Places = {
  ...browser,
  browserTracingIntegration: {
    from: '@afterimage/svelte/kit-client',
    name: 'browserTracing',
    note: 'call traceNavigation of the same entry in the outermost layout',
  },
  handleErrorWithSentry: {
    from: '@afterimage/svelte/kit-client',
    name: 'handleErrorWithAfterimage',
  },
}

const kitOnServer: Places = {
  handleErrorWithSentry: { from: kitServer, name: 'handleErrorWithAfterimage' },
  init: { from: kitServer, name: 'initServer' },
  sentryHandle: { from: kitServer, name: 'afterimageHandle' },
}

/** The part of an application of Next or SvelteKit that a file belongs to; null when its name does not say. */
export type Side = 'browser' | 'server' | null

/** One of Sentry's packages that the codemod knows. */
export interface SentryPackage {
  /** Returns the entry that a namespace import of it becomes. */
  mainOn(side: Side): string
  placesOn(side: Side): Places
}

const anywhere = (places: Places, main = browserEntry): SentryPackage => ({
  mainOn: () => main,
  placesOn: () => places,
})

/** The packages that are rewritten. */
export const sentryPackages: Readonly<Record<string, SentryPackage>> = {
  '@sentry/browser': anywhere(browser),
  '@sentry/react': anywhere(react, '@afterimage/react'),
  '@sentry/vue': anywhere(vue),
  '@sentry/svelte': anywhere(browser),
  '@sentry/sveltekit': {
    mainOn: (side) => (side === 'server' ? kitServer : browserEntry),
    placesOn: (side) => (side === 'server' ? kitOnServer : kitInBrowser),
  },
  '@sentry/nextjs': {
    mainOn: (side) => (side === 'server' ? nextServer : nextClient),
    placesOn: (side) => (side === 'browser' ? nextBrowser : side === 'server' ? nextOnServer : {}),
  },
}

/**
 * Integrations that `init` always adds, by the names of all versions. Without arguments they are
 * removed from lists.
 */
export const alwaysIncluded: ReadonlySet<string> = new Set([
  'breadcrumbsIntegration',
  'browserApiErrorsIntegration',
  'browserSessionIntegration',
  'cultureContextIntegration',
  'dedupeIntegration',
  'eventFiltersIntegration',
  'functionToStringIntegration',
  'globalHandlersIntegration',
  'httpContextIntegration',
  'inboundFiltersIntegration',
  'linkedErrorsIntegration',
])

const everyFramework = 'docs/sdk/migrate.md says what to write instead'
const ofScopes = `our scopes have ${[...scopeMembers].join(', ')}, which return nothing`

/** Reasons to leave names alone that a reader can act on. */
const advice: Readonly<Record<string, string>> = {
  getClient: 'of the methods, our client has close and flush; its options are `options`',
  getCurrentHub: 'write getClient() for its client, and getScope() for its scope',
  getCurrentScope: ofScopes,
  getIsolationScope: ofScopes,
  withIsolationScope: ofScopes,
  withScope: ofScopes,
  Scope: 'it is a type of ours; withScope(callback) makes a scope',
  withSentryConfig: 'write withAfterimage(config, options) of @afterimage/next; its options differ',
  createSentryPiniaPlugin: 'give pinia.use the piniaPlugin of @afterimage/vue',
  ...Object.fromEntries(
    ['V6', 'V7'].flatMap((version) => {
      const entry = 'of @afterimage/react/react-router'
      return [
        [`reactRouter${version}BrowserTracingIntegration`, `write routerTracing() ${entry}`],
        [
          `wrapCreateBrowserRouter${version}`,
          `write traceRouter(createBrowserRouter(routes)) ${entry}`,
        ],
        [`withSentryReactRouter${version}Routing`, `write traceRoutes(Routes, functions) ${entry}`],
        [`wrapUseRoutes${version}`, `write traceUseRoutes(useRoutes, functions) ${entry}`],
      ]
    }),
  ),
  tanstackRouterBrowserTracingIntegration:
    'write routerTracing() and traceRouter(router) of @afterimage/react/tanstack-router',
  vueIntegration: 'app.use(afterimagePlugin) of @afterimage/vue reports the errors of components',
  withSentry: 'there is no wrapper of single handlers; onRequestError reports them',
  sentryVitePlugin: 'source maps need no plugin',
  sentrySvelteKit: 'source maps need no plugin',
  showReportDialog:
    'write showReportDialog of @afterimage/browser/feedback-widget; its options differ',
  feedbackIntegration:
    'write feedbackWidget of @afterimage/browser/feedback-widget; its options differ',
}

/** Says why a name is left alone. */
export function reasonOf(name: string, from: string, side: Side): string {
  if (Object.hasOwn(advice, name)) return advice[name]!
  if (from === '@sentry/nextjs' && side === null && Object.hasOwn(nextBrowser, name)) {
    return 'the file may run on the server: import from @afterimage/next/client in the browser, and captureServerException of @afterimage/next/server on the server'
  }
  if (from === '@sentry/nextjs' && /^(?:replay|browserTracing)Integration$/.test(name)) {
    return 'init of @afterimage/next adds it; its options belong in `replay` and `tracing` of init'
  }
  if (alwaysIncluded.has(name)) return 'init always adds it; its options have no counterpart'
  return `it has no counterpart that takes its place unchanged; ${everyFramework}`
}
