import { debugImages } from '@afterimage/sdk-core/debug-ids'
import type { DebugIdGlobals } from '@afterimage/sdk-core/debug-ids'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { exceptionEvent } from '@afterimage/sdk-core/exception'
import { guard } from '@afterimage/sdk-core/guard'
import { framesMax } from '@afterimage/sdk-core/limits'
import { listen } from '@afterimage/sdk-core/listen'
import type { ErrorPlace, WorkerMessage } from './worker-message.ts'

/** The global scope of a dedicated worker, as far as it is used here. */
interface WorkerScope extends EventTarget {
  readonly location: { readonly href: string }
  postMessage(message: unknown): void
}

/**
 * Sends the uncaught errors and rejections of the worker that calls it to its page, whose
 * `webWorkers` reports them.
 */
export function registerWorker(): void {
  const scope = globalThis as unknown as WorkerScope
  guard(() => (Error.stackTraceLimit = framesMax))

  function post(event: SdkEvent, place?: ErrorPlace): void {
    const { href: filename } = scope.location
    const message: WorkerMessage = {
      afterimage: { event, debugIds: debugIdsOf(event), filename, ...(place && { place }) },
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
    scope.postMessage(message)
  }

  listen(scope, 'error', ({ error, message, filename, lineno, colno }: ErrorEvent) => {
    // An error without a stack has at least the place that the browser gives.
    const bare = Object.assign(new Error(message.replace(/^uncaught (exception: )?/i, '')), {
      stack: `@${filename}:${lineno}:${colno}`,
    })
    const mechanism = { type: 'onerror', handled: false }
    const event = exceptionEvent(error ?? bare, { mechanism, syntheticException: bare })
    post(event, { filename, lineno, colno })
  })
  listen(scope, 'unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    const mechanism = { type: 'onunhandledrejection', handled: false }
    post(exceptionEvent(reason, { mechanism }))
  })
}

/** Returns the debug ids of the files that the event names, as the worker's snippets wrote them. */
function debugIdsOf(event: SdkEvent): Record<string, string> {
  const { _sentryDebugIds, _afterimageDebugIds } = globalThis as DebugIdGlobals
  const images = debugImages(event)
  return Object.fromEntries(
    Object.entries({ ..._sentryDebugIds, ..._afterimageDebugIds }).filter(([, id]) =>
      images.some((it) => it.debug_id === id),
    ),
  )
}
