import type { Client } from '@afterimage/sdk-core/client'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { guard, guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { getScope } from '@afterimage/sdk-core/scope'
import { isTaken } from '@afterimage/sdk-core/transport'
import { warn } from '@afterimage/sdk-core/debug'
import { watchPrivacy } from './privacy/privacy.ts'
import type { Privacy } from './privacy/privacy.ts'
import type { ReplayOptions } from './options.ts'
import { createSessionHold, isStorageStaleOnReturn } from './session-hold.ts'
import type { SessionHold } from './session-hold.ts'
import type { PageRecorder } from './start-recorder.ts'
import type { Mode, RecorderState } from './state.ts'

/** The recorder's module, as far as the loader needs it. */
export type RecorderModule = Pick<typeof import('./start-recorder.ts'), 'startRecorder'>

export interface ReplayIntegration extends Integration {
  /** The recorder's state: `notStarted` until its chunk is loaded. */
  state(): RecorderState
  /** Null unless it is running. */
  replayId(): string | null
  /** Calls the listener on each change of state; returns a function that removes it. */
  onState(listener: (state: RecorderState) => void): () => void
  /** Records and sends from now on, whatever was sampled. */
  start(): Promise<void>
  /** Records from now on, and sends when an error happens. */
  startBuffering(): Promise<void>
  stop(): void
}

/** Errors remembered until the recorder is loaded. */
const earlyErrorsMax = 20
/** The page counts as idle after this long, however busy it is. */
const idleMs = 5000

/**
 * Records the page with the recorder that `load` resolves to, loaded when the page is idle. Until
 * then nothing is recorded, and only the ids of errors are remembered.
 */
export function loadReplay(
  load: () => Promise<RecorderModule>,
  given: ReplayOptions,
): ReplayIntegration {
  const listeners = new Set<(state: RecorderState) => void>()
  /** Ids of errors that came before the recorder; `taken` are those that the server took. */
  const early = new Set<string>()
  const taken: string[] = []
  const hold = createSessionHold()
  let options = given
  let client: Client | undefined
  let page: PageRecorder | undefined
  let loading: Promise<void> | undefined
  let privacy: Privacy | undefined
  const tell = (state: RecorderState): void => guardEach(listeners, (listen) => listen(state))

  async function begin(): Promise<void> {
    try {
      const { startRecorder } = await load()
      if (client === undefined) return
      page = startRecorder(client, getScope, options, tell, hold.take(), privacy!)
      convert(page, taken)
    } catch (error) {
      warn('the recorder could not be loaded:', error)
    }
  }
  const ready = (): Promise<void> => (loading ??= begin())

  return {
    name: 'replay',
    setup(started) {
      client = started
      options = withRates(started, given)
      hold.claim()
      privacy = watchPrivacy(client, options)
      return [
        whenIdle(() => void ready()),
        ...watchLeaving(hold, () => page),
        () => {
          client = undefined
          page?.close()
          privacy?.secrets.close()
          hold.release()
        },
      ]
    },
    processEvent(event, hint, from) {
      if (page) return page.processEvent(event, hint, from)
      if (early.size < earlyErrorsMax && isWorthReplay(event, options)) early.add(event.event_id!)
      return event
    },
    willSend: (event, hint, from) => page?.willSend(event, hint, from),
    afterSend(event, answer, from) {
      page?.afterSend(event, answer, from)
      const { event_id: id = '' } = event
      if (!early.delete(id) || !isTaken(answer)) return
      taken.push(id)
      convert(page, taken)
    },
    breadcrumb: (breadcrumb, hint) => page?.breadcrumb(breadcrumb, hint),
    flush: () => page?.recorder.hide(),
    state: () => page?.recorder.state ?? { name: 'notStarted' },
    replayId: () => page?.recorder.replayId ?? null,
    onState: (listener) => joined(listeners, listener),
    start: () => ready().then(() => page?.recorder.start()),
    startBuffering: () => ready().then(() => page?.recorder.start('buffer')),
    stop: () => page?.recorder.stop(),
  }
}

/** Adds a member; returns a function that removes it. */
function joined<T>(members: Set<T>, member: T): () => void {
  members.add(member)
  return () => void members.delete(member)
}

/** Adds the rates given to `init`; those of the integration take precedence. */
function withRates({ options }: Client, given: ReplayOptions): ReplayOptions {
  const { replaysSessionSampleRate, replaysOnErrorSampleRate } = options
  return {
    ...(replaysSessionSampleRate !== undefined && { sessionSampleRate: replaysSessionSampleRate }),
    ...(replaysOnErrorSampleRate !== undefined && { onErrorSampleRate: replaysOnErrorSampleRate }),
    ...given,
  }
}

/** The replay of an early error holds what came after it. */
function convert(page: PageRecorder | undefined, taken: string[]): void {
  if (page === undefined || taken.length === 0) return
  const { recorder } = page
  for (const id of taken.splice(0)) recorder.outbox?.note('errorIds', id)
  recorder.convert()
}

function isWorthReplay({ type, exception }: SdkEvent, options: ReplayOptions): boolean {
  return !type && !!exception && Math.random() < (options.onErrorSampleRate ?? 1)
}

/**
 * Handles leaving the page and its return from the back/forward cache. At first the storage is
 * still as it was on leaving; one task later it has the changes of the tab's other pages. Where it
 * never has them, a replay of its own begins.
 */
function watchLeaving(hold: SessionHold, page: () => PageRecorder | undefined): (() => void)[] {
  let left: Mode | undefined
  return [
    listen(window, 'pagehide', () => {
      const state = page()?.recorder.state
      left = state?.name === 'running' ? state.mode : undefined
      page()?.leave()
      hold.release()
    }),
    listen(window, 'pageshow', (event: PageTransitionEvent) => {
      if (!event.persisted) return
      setTimeout(() => {
        hold.take(isStorageStaleOnReturn)
        guard(() => {
          if (isStorageStaleOnReturn && left) page()?.recorder.start(left)
          else page()?.recorder.comeBack()
        })
      })
    }),
  ]
}

/** Runs once the page is loaded and idle; returns a function that calls it off while it loads. */
function whenIdle(run: () => void): () => void {
  const onLoad = (): void => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: idleMs })
    else setTimeout(run)
  }
  if (document.readyState === 'complete') onLoad()
  else addEventListener('load', onLoad, { once: true })
  return () => removeEventListener('load', onLoad)
}
