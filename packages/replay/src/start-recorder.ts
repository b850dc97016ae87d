// First, so that rrweb comes first: gzip looks back 32 KiB, and our code compresses best in one
// piece after it.
import { createDom } from './recording/dom.ts'
import type { Client } from '@afterimage/sdk-core/client'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { warn } from '@afterimage/sdk-core/debug'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import type { Scope } from '@afterimage/sdk-core/scope'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import { patch } from '@afterimage/sdk-core/watch/watch'
import type { Measures } from './capture/measures.ts'
import { watchPointer } from './capture/pointer.ts'
import { clientHooks } from './capture/events.ts'
import type { ReportClick } from './capture/clicks.ts'
import { createCompress } from './compress.ts'
import type { ReplayOptions } from './options.ts'
import { watchPageState } from './capture/page-state.ts'
import { createMasks } from './privacy/mask.ts'
import type { Privacy } from './privacy/privacy.ts'
import { Recorder } from './recorder.ts'
import { isSending } from './state.ts'
import type { RecorderState } from './state.ts'

/** rrweb's ids, by which parts that add to the recording name nodes. */
export { mirror } from './recording/dom.ts'

/** A recorder on its page, as the loader uses it. */
export interface PageRecorder extends Required<
  Pick<Integration, 'processEvent' | 'willSend' | 'afterSend' | 'breadcrumb'>
> {
  readonly recorder: Recorder
  /** Called when the page is left; it may return. */
  leave(): void
  /** Removes the recorder from the page, and sends what it holds. */
  close(): void
}

/**
 * Starts a recorder on the page. `onState` is called on each change of state. `storage` is the
 * tab's, null where the page may not use it. `privacy` exists since before the recorder.
 */
export function startRecorder(
  client: Client,
  getScope: () => Scope,
  options: ReplayOptions,
  onState: (state: RecorderState) => void,
  storage: Storage | null,
  privacy: Privacy,
): PageRecorder {
  const { keepQuery } = client.options
  const masks = createMasks(privacy)
  const address = (): string => cleanAddress(location.href, keepQuery)
  const { compress, close } = createCompress(options.workerUrl)
  let measures: Measures | undefined
  const dom = createDom(masks, keepQuery, {
    emit: (event) => guard(() => recorder.record(event)),
    mutations: (count) => guard(() => recorder.mutations(count), true),
  })
  const recorder: Recorder = new Recorder(options, {
    client,
    getScope,
    storage,
    compress,
    dom,
    address,
    onState,
    onEvent: (event) => measures?.clicks.observe(event),
    onFlush: () => measures?.addState(),
  })
  const report: ReportClick = (category, { message, data }, atMs) =>
    recorder.addBreadcrumb(category, { message, data: { url: address(), ...data } }, atMs)
  recorder.begin()
  const loading = import('./capture/measures.ts').then(
    (module) => (measures = module.watchMeasures(recorder, options, keepQuery, report)),
    () =>
      warn('the measuring part could not be loaded; the recording continues without measurements.'),
  )
  const undo = [
    ...watchPointer(client, recorder, options, masks, report, () => measures?.clicks),
    watchHistory(({ to }) => {
      recorder.activity('navigation')
      recorder.addUrl(cleanAddress(to, keepQuery))
    }),
    listen(document, 'visibilitychange', () => {
      const { hidden } = document
      recorder.addBreadcrumb(hidden ? 'ui.blur' : 'ui.focus')
      if (hidden) recorder.hide()
    }),
    ...watchPageState(recorder),
    traceReplay(client, recorder),
    close,
    () => void loading.then(() => measures?.undo.forEach((step) => step())),
  ]
  return {
    recorder,
    ...clientHooks(recorder, options, address),
    leave() {
      measures?.clicks.leave()
      recorder.leave()
    },
    close() {
      recorder.stop()
      for (const step of undo) guard(step)
    },
  }
}

/** Traces name the replay while it is sent, so that servers tie their own errors to it. */
function traceReplay(client: Client, recorder: Recorder): () => void {
  return patch(client, 'trace', (trace) => () => {
    const current = trace() as ReturnType<Client['trace']>
    const { state, replayId } = recorder
    return isSending(state)
      ? { ...current, sampling: { ...current.sampling, replay_id: replayId! } }
      : current
  })
}
