import { captureThrown } from '@afterimage/sdk-core/api'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { framesMax } from '@afterimage/sdk-core/limits'
import { listen } from '@afterimage/sdk-core/listen'

/**
 * Captures uncaught errors and rejections of the window. Uses listeners, not the `on…` members:
 * pages may assign those without hiding errors from us or losing their own handler.
 */
export function globalErrors(): Integration {
  return {
    name: 'globalErrors',
    setup() {
      guard(() => (Error.stackTraceLimit = framesMax))
      return [listen(window, 'error', onError), listen(window, 'unhandledrejection', onRejection)]
    },
  }
}

/** Captures one `error` event of the window. */
export function onError({ message, filename, lineno, colno, error }: ErrorEvent): void {
  // Images and scripts that fail to load raise one too, without a message.
  if (message === undefined) return
  // An error without a stack has at least the position that the browser gives.
  const place = new Error()
  place.stack = lineno ? `@${filename || location.href}:${lineno}:${colno}` : ''
  place.message = message.replace(/^uncaught (exception: )?/i, '')
  captureThrown(error ?? place, {
    mechanism: { type: 'onerror', handled: false },
    syntheticException: place,
  })
}

/** Promise libraries raise a CustomEvent of the same name, with the reason inside `detail`. */
export function onRejection(event: Event): void {
  const { reason, detail } = event as Partial<PromiseRejectionEvent> & {
    detail?: { reason?: unknown }
  }
  captureThrown(detail?.reason ?? reason, {
    mechanism: { type: 'onunhandledrejection', handled: false },
  })
}
