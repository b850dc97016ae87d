/**
 * The client as one script for pages without a bundler. The global `Afterimage` has everything of
 * `@afterimage/browser`, tracing, and the recorder, whose chunk stands beside this file on its
 * host.
 */
import { onError, onRejection } from '@afterimage/browser/global-errors'
import { guard } from '@afterimage/sdk-core/guard'
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  close,
  errorIntegrations,
  flush,
  getClient,
  getCurrentScope,
  getScope,
  lastEventId,
  setContext,
  setExtra,
  setTag,
  setTags,
  setUser,
  withScope,
  init,
} from '@afterimage/browser'
import type { Client, Options } from '@afterimage/browser'
import { loadReplay } from '@afterimage/replay/loader'
import type { ReplayIntegration } from '@afterimage/replay/loader'
import type { ReplayLoaderOptions } from '@afterimage/replay'
import {
  addEventProcessor,
  getIsolationScope,
  setExtras,
  withIsolationScope,
} from '@afterimage/browser/scopes'
import { thrownValues } from '@afterimage/browser/thrown-values'
import {
  browserTracing,
  continueTrace,
  getActiveSpan,
  pageTracing,
  startInactiveSpan,
  startNavigation,
  startPageLoad,
  startSpan,
} from '@afterimage/browser/tracing'
import type { Stub } from './stub.ts'

const here = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI
const stub = (globalThis as { Afterimage?: Partial<Stub> }).Afterimage

/**
 * Listed by name: bundlers build a namespace by a loop that includes members of `Object.prototype`.
 */
const api = {
  addBreadcrumb,
  addEventProcessor,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  close,
  errorIntegrations,
  flush,
  getClient,
  getCurrentScope,
  getIsolationScope,
  getScope,
  lastEventId,
  setContext,
  setExtra,
  setExtras,
  setTag,
  setTags,
  setUser,
  withIsolationScope,
  withScope,
  browserTracing,
  continueTrace,
  getActiveSpan,
  pageTracing,
  startInactiveSpan,
  startNavigation,
  startPageLoad,
  startSpan,
  thrownValues,
  init(options: Options): Client | null {
    const started = init(options)
    takeEvents()
    return started
  },
  replayIntegration: ({ load, ...options }: ReplayLoaderOptions = {}): ReplayIntegration =>
    loadReplay(load ?? (() => import(new URL('replay.js', here).href)), options),
  /** Runs at once; the loader's version, which this replaces, waits. */
  onLoad: (run: () => void): void => run(),
}

/** Reports uncaught errors from before `init` like later ones. */
function takeEvents(): void {
  stub?.stop?.()
  for (const event of stub?.events?.splice(0) ?? []) {
    guard(() => (event.type === 'error' ? onError(event as ErrorEvent) : onRejection(event)))
  }
}

Object.assign(globalThis, { Afterimage: api })
for (const [name, values] of stub?.queue?.splice(0) ?? []) {
  const run = name === '' ? values[0] : (api as Record<string, unknown>)[name]
  // An error of a page's callback is the page's, and must not stop the other callbacks.
  if (typeof run === 'function') {
    try {
      run(...(name === '' ? [] : values))
    } catch (error) {
      setTimeout(() => {
        throw error
      })
    }
  }
}
