import type { EventException } from '@afterimage/protocol/event'
import { captureEvent } from '@afterimage/sdk-core/api'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import type { DebugIdGlobals } from '@afterimage/sdk-core/debug-ids'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { forwardedErrorsMax } from './limits.ts'
import { isWorkerMessage } from './worker-message.ts'
import type { WorkerMessage } from './worker-message.ts'

export interface WebWorkers extends Integration {
  /** Listens to one more worker. */
  addWorker(worker: Worker): void
}

export interface WebWorkersOptions {
  readonly workers?: readonly Worker[]
}

/**
 * Reports the errors of workers that called `registerWorker`. Listeners that the page adds later do
 * not see their messages to us.
 */
export function webWorkers({ workers = [] }: WebWorkersOptions = {}): WebWorkers {
  let client: Client | null = null
  /** Ids of events by the place where the worker's error was thrown. */
  const forwarded = new Map<string, string>()

  function report({ event, debugIds, filename, place }: WorkerMessage['afterimage']): void {
    const { _afterimageDebugIds } = globalThis as DebugIdGlobals
    Object.assign(globalThis, { _afterimageDebugIds: { ...debugIds, ..._afterimageDebugIds } })
    const values = event.exception?.values.map(withCleanFrames) ?? []
    const contexts = { worker: { filename: cleanAddress(filename) } }
    const id = captureEvent({ ...event, exception: { values }, contexts })
    if (!place) return
    forwarded.set(`${cleanAddress(place.filename)}:${place.lineno}:${place.colno}`, id)
    if (forwarded.size > forwardedErrorsMax) forwarded.delete(forwarded.keys().next().value!)
  }

  /** Returns the id of the event that a worker has sent of the same error already. */
  function takeForwarded(event: SdkEvent): string | undefined {
    const thrown = event.exception?.values.at(-1)
    const { filename, lineno, colno } = thrown?.stacktrace?.frames.at(-1) ?? {}
    const place = `${filename}:${lineno}:${colno}`
    const id = thrown?.mechanism?.type === 'onerror' ? forwarded.get(place) : undefined
    if (id) forwarded.delete(place)
    return id
  }

  function addWorker(worker: Worker): void {
    listen(worker, 'message', (message: MessageEvent) => {
      if (!client || !isWorkerMessage(message.data)) return
      message.stopImmediatePropagation()
      report(message.data.afterimage)
    })
  }

  for (const worker of workers) addWorker(worker)
  return {
    name: 'webWorkers',
    setup(started) {
      client = started
      const { capture } = started
      // Browsers raise an uncaught error of a worker on the page as well, without its stack.
      const ours: typeof capture = (event, ...more) =>
        takeForwarded(event) ?? capture(event, ...more)
      started.capture = ours
      return [
        () => {
          client = null
          if (started.capture === ours) started.capture = capture
        },
      ]
    },
    addWorker,
  }
}

/** Cleans addresses once more: the worker does not know the secrets of the page. */
function withCleanFrames(value: EventException): EventException {
  const { stacktrace } = value
  if (!stacktrace) return value
  const frames = stacktrace.frames.map((frame) => ({
    ...frame,
    ...(frame.filename && { filename: cleanAddress(frame.filename) }),
  }))
  return { ...value, stacktrace: { ...stacktrace, frames } }
}
