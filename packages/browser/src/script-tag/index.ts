/**
 * The client as one script for pages without a bundler: the global `Afterimage` with everything of
 * `@afterimage/browser`, tracing, and the recorder, whose chunk lies beside this file on its host.
 */
import { onError, onRejection } from '../capture/global-errors.ts'
import { guard } from '../guard.ts'
import * as client from '../index.ts'
import { replayIntegration } from '../replay.ts'
import type { ReplayIntegration, ReplayLoaderOptions } from '../replay.ts'
import { thrownValues } from '../thrown-values.ts'
import * as tracing from '../tracing.ts'
import type { Stub } from './stub.ts'

const here = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI
const stub = (globalThis as { Afterimage?: Partial<Stub> }).Afterimage

const api = {
  ...client,
  ...tracing,
  thrownValues,
  init(options: client.Options): client.Client | null {
    const started = client.init(options)
    takeEvents()
    return started
  },
  replayIntegration: (options?: ReplayLoaderOptions): ReplayIntegration =>
    replayIntegration({ load: () => import(new URL('replay.js', here).href), ...options }),
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
