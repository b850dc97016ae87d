import type { PageRecorder, RecorderState, ReplayOptions } from '@afterimage/replay'
import type { Client } from './client.ts'
import { guard } from './guard.ts'
import type { Integration } from './integration.ts'
import { getScope } from './scope.ts'
import { warn } from './debug.ts'

export type { RecorderState, ReplayOptions } from '@afterimage/replay'

/** What the recorder's module exports that the loader needs. */
type RecorderModule = Pick<typeof import('@afterimage/replay'), 'startRecorder'>

export interface ReplayLoaderOptions extends ReplayOptions {
  /** Loads the recorder; by default the chunk that the bundler made of `@afterimage/replay`. */
  readonly load?: () => Promise<RecorderModule>
}

export interface ReplayIntegration extends Integration {
  /** What the recorder is doing. `notStarted` until its chunk is there. */
  state(): RecorderState
  /** Null unless it is running. */
  replayId(): string | null
  /** Hears of every state from now on; the answer takes the listener away. */
  onState(listener: (state: RecorderState) => void): () => void
  /** Records and sends from now on, whatever was sampled. */
  start(): Promise<void>
  /** Records from now on, and sends when an error happens. */
  startBuffering(): Promise<void>
  stop(): void
}

/** Errors that happened before the recorder was there, and that it is told of. */
const earlyErrorsMax = 20
/** The page counts as idle after so long, whatever it does. */
const idleMs = 5000

/**
 * Records the page. The recorder is a chunk of its own on the page's own host, loaded when the page
 * is idle; until then nothing is recorded, and errors are only remembered by their ids.
 */
export function replayIntegration({
  load = () => import('@afterimage/replay'),
  ...options
}: ReplayLoaderOptions = {}): ReplayIntegration {
  const listeners = new Set<(state: RecorderState) => void>()
  /** Ids of errors that came before the recorder and are worth a replay; and of those that were taken. */
  const early = new Set<string>()
  const taken: string[] = []
  let client: Client | undefined
  let page: PageRecorder | undefined
  let loading: Promise<void> | undefined
  let isClosed = false
  const tell = (state: RecorderState): void =>
    listeners.forEach((listen) => guard(() => listen(state)))

  async function begin(): Promise<void> {
    try {
      const { startRecorder } = await load()
      if (client === undefined || isClosed) return
      page = startRecorder(client, getScope, options, tell)
      convert()
    } catch (error) {
      warn('the recorder could not be loaded:', error)
    }
  }
  /** The replay of an early error is what came after it. */
  function convert(): void {
    const { recorder } = page ?? {}
    if (recorder === undefined || taken.length === 0) return
    for (const id of taken.splice(0)) recorder.outbox?.note('errorIds', id)
    recorder.convert()
  }
  const ready = (): Promise<void> => (loading ??= begin())

  return {
    name: 'replay',
    setup(started) {
      client = started
      const wait: (run: () => void) => void =
        typeof requestIdleCallback === 'function'
          ? (run) => requestIdleCallback(run, { timeout: idleMs })
          : (run) => setTimeout(run)
      const onLoad = (): void => wait(() => void ready())
      if (document.readyState === 'complete') onLoad()
      else addEventListener('load', onLoad, { once: true })
      return [
        () => {
          isClosed = true
          removeEventListener('load', onLoad)
          page?.close()
        },
      ]
    },
    processEvent(event, hint, from) {
      if (page) return page.processEvent(event, hint, from)
      const isError = event.type === undefined && event.exception !== undefined
      const isWorth = isError && Math.random() < (options.onErrorSampleRate ?? 1)
      if (isWorth && event.event_id && early.size < earlyErrorsMax) early.add(event.event_id)
      return event
    },
    willSend: (event, hint, from) => page?.willSend(event, hint, from),
    afterSend(event, answer, from) {
      page?.afterSend(event, answer, from)
      const { event_id: id = '' } = event
      if (!early.delete(id) || answer.status < 200 || answer.status >= 300) return
      taken.push(id)
      convert()
    },
    breadcrumb: (breadcrumb, hint) => page?.breadcrumb(breadcrumb, hint),
    flush: () => page?.recorder.hide(),
    state: () => page?.recorder.state ?? { name: 'notStarted' },
    replayId: () => page?.recorder.replayId ?? null,
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => ready().then(() => page?.recorder.start()),
    startBuffering: () => ready().then(() => page?.recorder.start('buffer')),
    stop: () => page?.recorder.stop(),
  }
}
