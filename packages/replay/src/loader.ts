import type { Client } from '@afterimage/sdk-core/client'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { ClientSettings } from '@afterimage/protocol/client-settings'
import { guard, guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { getScope } from '@afterimage/sdk-core/scope'
import { isTaken } from '@afterimage/sdk-core/transport'
import type { Answer } from '@afterimage/sdk-core/transport'
import { whenIdle } from '@afterimage/sdk-core/when-idle'
import { warn } from '@afterimage/sdk-core/debug'
import { watchPrivacy } from './privacy/privacy.ts'
import type { Privacy } from './privacy/privacy.ts'
import type { ReplayOptions } from './options.ts'
import { createParts } from './recording-parts.ts'
import type { RecordingPart } from './recording-parts.ts'
import { follow, limited, stop } from './restrict.ts'
import { createSessionHold, isStorageStaleOnReturn } from './session-hold.ts'
import type { SessionHold } from './session-hold.ts'
import type { PageRecorder } from './start-recorder.ts'
import type { Mode, RecorderState } from './state.ts'

/** The recorder's module, as far as the loader needs it. */
export type RecorderModule = Pick<typeof import('./start-recorder.ts'), 'mirror' | 'startRecorder'>

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
  /** Stops; `false` discards what was recorded and is not sent yet. */
  stop(isFlushed?: boolean): void
  /** Has the part called once the recorder is loaded. */
  addPart(part: RecordingPart): void
}

/** Errors remembered until the recorder is loaded. */
const earlyErrorsMax = 20
/** A page that comes back looks this often whether the tab's other page has let go of the session. */
const looksOnReturn = 20
const lookMs = 25

/**
 * Records the page with the recorder that `load` resolves to, loaded when the page is idle. Until
 * then nothing is recorded, and only the ids of errors are remembered.
 */
export function loadReplay(
  load: () => Promise<RecorderModule>,
  given: ReplayOptions,
): ReplayIntegration {
  const { tell, listen: onState } = createListeners()
  const early = createEarlyErrors()
  const parts = createParts()
  const hold = createSessionHold()
  let settings: ClientSettings = {}
  let options = given
  let client: Client | undefined
  let page: PageRecorder | undefined
  let loading: Promise<void> | undefined
  let privacy: Privacy | undefined

  async function begin(): Promise<void> {
    try {
      const { startRecorder, mirror } = await load()
      if (client === undefined) return
      page = startRecorder(client, getScope, options, tell, hold.take(), privacy!)
      early.convert(page)
      parts.begin({ recorder: page.recorder, mirror, selectors: privacy!.selectors })
    } catch (error) {
      warn('the recorder could not be loaded:', error)
    }
  }
  const ready = async (): Promise<void> => client && (loading ??= begin())

  return {
    name: 'replay',
    setup(started) {
      if (given.globalPrivacyControl && hasPrivacyControl()) return
      client = started
      options = limited(withRates(started, given), settings)
      privacy = watchPrivacy(client, options)
      return [
        whenIdle(() => void ready()),
        ...watchLeaving(hold, () => page),
        () => {
          client = loading = undefined
          parts.end()
          page?.close()
          privacy?.secrets.close()
        },
      ]
    },
    restrict(next) {
      settings = next
      if (!client || !privacy) return
      const followed = { options, privacy, client, recorder: page?.recorder }
      follow(limited(withRates(client, given), settings), followed)
    },
    processEvent: (event, hint, from) =>
      page ? page.processEvent(event, hint, from) : early.note(event, options),
    willSend: (event, hint, from) => page?.willSend(event, hint, from),
    afterSend(event, answer, from) {
      page?.afterSend(event, answer, from)
      early.answered(event, answer, page)
    },
    breadcrumb: (breadcrumb, hint) => page?.breadcrumb(breadcrumb, hint),
    flush: () => page?.recorder.hide(),
    state: () => page?.recorder.state ?? { name: 'notStarted' },
    replayId: () => page?.recorder.replayId ?? null,
    onState,
    start: () => ready().then(() => page?.recorder.start()),
    startBuffering: () => ready().then(() => page?.recorder.start('buffer')),
    stop: (isFlushed) => page && stop(page.recorder, isFlushed),
    addPart: parts.add,
  }
}

/** Keeps the listeners for changes of the state; `listen` returns a function that removes one. */
function createListeners() {
  const listeners = new Set<(state: RecorderState) => void>()
  return {
    tell: (state: RecorderState): void => guardEach(listeners, (listen) => listen(state)),
    listen(listener: (state: RecorderState) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
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

/** Says whether the browser's person objects to being recorded. */
function hasPrivacyControl(): boolean {
  return !!(navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl
}

/** Remembers errors that come before the recorder, so that its replay is tied to them. */
function createEarlyErrors() {
  const sent = new Set<string>()
  /** Those that the server took. */
  const taken: string[] = []
  /** The replay of an early error holds what came after it. */
  function convert(page: PageRecorder | undefined): void {
    if (page === undefined || taken.length === 0) return
    const { recorder } = page
    for (const id of taken.splice(0)) recorder.outbox?.note('errorIds', id)
    recorder.convert()
  }
  return {
    convert,
    /** Returns the event as it is. */
    note(event: SdkEvent, options: ReplayOptions): SdkEvent {
      if (sent.size < earlyErrorsMax && isWorthReplay(event, options)) sent.add(event.event_id!)
      return event
    },
    answered(
      { event_id: id = '' }: SdkEvent,
      answer: Answer,
      page: PageRecorder | undefined,
    ): void {
      if (!sent.delete(id) || !isTaken(answer)) return
      taken.push(id)
      convert(page)
    },
  }
}

function isWorthReplay({ type, exception }: SdkEvent, options: ReplayOptions): boolean {
  return !type && !!exception && Math.random() < (options.onErrorSampleRate ?? 1)
}

/**
 * Holds the tab's session while the page is shown. On the return from the back/forward cache the
 * storage is at first still as it was on leaving; one task later it has the changes of the tab's
 * other pages. Where it never has them, a replay of its own begins.
 */
function watchLeaving(hold: SessionHold, page: () => PageRecorder | undefined): (() => void)[] {
  let left: Mode | undefined
  hold.claim()
  function comeBack(looks: number): void {
    // The tab's other page has let go, but a busy browser may not have told this one yet.
    if (looks > 0 && !hold.claim()) return void setTimeout(comeBack, lookMs, looks - 1)
    hold.take(isStorageStaleOnReturn)
    guard(() => {
      if (isStorageStaleOnReturn && left) page()?.recorder.start(left)
      else page()?.recorder.comeBack()
    })
  }
  return [
    () => hold.release(),
    listen(window, 'pagehide', () => {
      const state = page()?.recorder.state
      left = state?.name === 'running' ? state.mode : undefined
      page()?.leave()
      hold.release()
    }),
    listen(window, 'pageshow', (event: PageTransitionEvent) => {
      if (event.persisted) setTimeout(comeBack, 0, looksOnReturn)
    }),
  ]
}
