/**
 * The client as one script for pages without a bundler: the global `Afterimage` with everything of
 * `@afterimage/browser`, tracing, and the recorder, whose chunk is beside this file on its host.
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

/** By name: bundlers make a namespace by going over its members, and those of `Object.prototype`. */
const api = {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  close,
  errorIntegrations,
  flush,
  getClient,
  getScope,
  lastEventId,
  setContext,
  setExtra,
  setTag,
  setTags,
  setUser,
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
  /** As the loader's, which is replaced: runs at once. */
  onLoad: (run: () => void): void => run(),
}

/** Uncaught errors from before `init`, which are reported as the ones after it are. */
function takeEvents(): void {
  stub?.stop?.()
  for (const event of stub?.events?.splice(0) ?? []) {
    guard(() => (event.type === 'error' ? onError(event as ErrorEvent) : onRejection(event)))
  }
}

Object.assign(globalThis, { Afterimage: api })
for (const [name, values] of stub?.queue?.splice(0) ?? []) {
  const run = name === '' ? values[0] : (api as Record<string, unknown>)[name]
  // What a page's own callback throws is the page's, and must not hold up the others.
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
