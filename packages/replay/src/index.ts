// First, and with it rrweb: gzip looks back 32 KiB, so what is ours has to stand together behind it.
import { DomRecording } from './recording/dom.ts'
import type { Client } from '@afterimage/browser/client'
import { cleanAddress } from '@afterimage/browser/clean-address'
import { warn } from '@afterimage/browser/debug'
import { guard } from '@afterimage/browser/guard'
import type { Integration } from '@afterimage/browser/integration'
import { listen } from '@afterimage/browser/listen'
import type { Scope } from '@afterimage/browser/scope'
import { watchHistory } from '@afterimage/browser/watch/history'
import type { Measures } from './capture/measures.ts'
import { watchPointer } from './capture/pointer.ts'
import { clientHooks } from './capture/events.ts'
import type { ReportClick } from './capture/clicks.ts'
import { createCompress } from './compress.ts'
import type { ReplayOptions } from './options.ts'
import { createMasks } from './privacy/mask.ts'
import { compileSelectors } from './privacy/selectors.ts'
import { Recorder } from './recorder.ts'
import { sessionStorageOrNull } from './session.ts'
import { isSending } from './state.ts'
import type { RecorderState } from './state.ts'

export type { CustomEvent, NetworkOptions, ReplayOptions } from './options.ts'
export type { Mode, RecorderState, StopReason } from './state.ts'

/** A recorder on its page, as the loader in `@afterimage/browser/replay` uses it. */
export interface PageRecorder extends Required<
  Pick<Integration, 'processEvent' | 'willSend' | 'afterSend' | 'breadcrumb'>
> {
  readonly recorder: Recorder
  /** Takes the recorder off the page; what it holds is sent. */
  close(): void
}

/**
 * Puts a recorder on the page and begins. `getScope` is the client's own, and `onState` hears of
 * every state.
 */
export function startRecorder(
  client: Client,
  getScope: () => Scope,
  options: ReplayOptions,
  onState: (state: RecorderState) => void,
): PageRecorder {
  const { keepQuery, unmask } = client.options
  const masks = createMasks(compileSelectors(options, unmask))
  const address = (): string => cleanAddress(location.href, keepQuery)
  const { compress, close } = createCompress(options.workerUrl)
  let measures: Measures | undefined
  const dom = new DomRecording(masks, keepQuery, {
    emit: (event) => guard(() => recorder.record(event)),
    mutations: (count) => guard(() => recorder.mutations(count), true),
  })
  const recorder: Recorder = new Recorder(options, {
    client,
    getScope,
    storage: sessionStorageOrNull(),
    compress,
    dom,
    address,
    onState,
    onEvent: (event) => measures?.clicks.observe(event),
    onFlush: () => measures?.addMemory(),
  })
  const report: ReportClick = (category, { message, data }, atMs) =>
    recorder.addBreadcrumb(category, { message, data: { url: address(), ...data } }, atMs)
  recorder.begin()
  const loading = import('./capture/measures.ts').then(
    (module) => (measures = module.watchMeasures(recorder, options, keepQuery, report)),
    () => warn('what is measured could not be loaded; the recording goes on without.'),
  )
  const undo = [
    ...watchPointer(recorder, options, masks, report, () => measures?.clicks),
    watchHistory(({ to }) => {
      recorder.activity('navigation')
      recorder.addUrl(cleanAddress(to, keepQuery))
    }),
    ...watchPage(recorder),
    traceReplay(client, recorder),
    close,
    () => void loading.then(() => measures?.undo.forEach((step) => step())),
  ]
  return {
    recorder,
    ...clientHooks(recorder, options, keepQuery),
    close() {
      recorder.stop()
      for (const step of undo) guard(step)
    },
  }
}

/** Shown, hidden, gone and come back. */
function watchPage(recorder: Recorder): (() => void)[] {
  return [
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') {
        recorder.addBreadcrumb('ui.blur')
        recorder.hide()
      } else recorder.addBreadcrumb('ui.focus')
    }),
    listen(globalThis as unknown as EventTarget, 'pagehide', () => recorder.leave()),
    listen(globalThis as unknown as EventTarget, 'pageshow', (event: PageTransitionEvent) => {
      if (event.persisted) recorder.comeBack()
    }),
  ]
}

/** Traces name the replay while it is sent, so that servers tie their own errors to it. */
function traceReplay(client: Client, recorder: Recorder): () => void {
  const { trace } = client
  const ours = (): ReturnType<typeof trace> => {
    const current = trace()
    const { state, replayId } = recorder
    return isSending(state)
      ? { ...current, sampling: { ...current.sampling, replay_id: replayId! } }
      : current
  }
  client.trace = ours
  return () => {
    if (client.trace === ours) client.trace = trace
  }
}
