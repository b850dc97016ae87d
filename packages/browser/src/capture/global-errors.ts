import { captureEvent, captureThrown } from '../api.ts'
import { isFirstCapture } from '../captured.ts'
import { cleanAddress } from '../clean-address.ts'
import type { SdkEvent } from '../event.ts'
import { exceptionEvent } from '../exception.ts'
import { guard, guarded } from '../guard.ts'
import type { Integration } from '../integration.ts'
import { framesMax, messageCharactersMax } from '../limits.ts'
import { cut } from '../normalize.ts'

/**
 * What nothing caught: `error` and `unhandledrejection` of the window. Listeners, not the `on…`
 * members, so that what a page assigns there neither hides errors from us nor loses its effect.
 */
export function globalErrors(): Integration {
  return {
    name: 'globalErrors',
    setup() {
      guard(() => (Error.stackTraceLimit = Math.max(framesMax, Error.stackTraceLimit)))
      const listeners = {
        error: guarded(onError as (event: Event) => void),
        unhandledrejection: guarded(onRejection),
      }
      for (const [type, listen] of Object.entries(listeners)) addEventListener(type, listen, true)
      return () => {
        for (const [type, listen] of Object.entries(listeners)) {
          removeEventListener(type, listen, true)
        }
      }
    },
  }
}

function onError(event: ErrorEvent): void {
  // Images and scripts that fail to load raise one too, without a message.
  if (event.message === undefined || !isFirstCapture(event.error)) return
  const mechanism = { type: 'onerror', handled: false }
  const hasValue = event.error !== null && event.error !== undefined
  const built = hasValue
    ? exceptionEvent(event.error, { mechanism })
    : describeMessage(event.message, mechanism)
  addPlace(built, event)
  captureEvent(built, { originalException: event.error, mechanism })
}

/** Promise libraries raise a CustomEvent of the same name, with the reason inside `detail`. */
function onRejection(event: Event): void {
  const { reason, detail } = event as Partial<PromiseRejectionEvent> & {
    detail?: { reason?: unknown }
  }
  captureThrown(reason ?? detail?.reason, {
    mechanism: { type: 'onunhandledrejection', handled: false },
  })
}

/** `Uncaught TypeError: x is not a function`, of which the browser keeps the error to itself. */
function describeMessage(message: string, mechanism: { type: string; handled: boolean }): SdkEvent {
  const match = /^(?:[Uu]ncaught (?:exception: )?)?(?:(\w*Error): )?([^]*)$/.exec(message)
  return {
    exception: {
      values: [
        {
          type: match?.[1] ?? 'Error',
          value: cut(match?.[2] ?? message, messageCharactersMax),
          mechanism,
        },
      ],
    },
  }
}

/** An error without a stack has at least the place that the browser names. */
function addPlace(built: SdkEvent, { filename, lineno, colno }: ErrorEvent): void {
  const last = built.exception?.values.at(-1)
  if (last === undefined || last.stacktrace !== undefined || !lineno) return
  const address = cleanAddress(filename || location.href)
  last.stacktrace = {
    frames: [{ filename: address, function: '?', lineno, ...(colno && { colno }), in_app: true }],
  }
}
