import { version } from 'react'
import { captureThrown } from '@afterimage/sdk-core/api'

/** Facts that React gives with an error. */
export interface ReactErrorInfo {
  readonly componentStack?: string | null | undefined
}

/** The way an error was caught. */
interface Mechanism {
  readonly type: string
  readonly handled: boolean
}

/** Reports an error with its component stack, and returns the event's id. */
export function captureReactError(
  error: unknown,
  { componentStack }: ReactErrorInfo,
  mechanism: Mechanism,
): string {
  const react = { version, componentStack: componentStack ?? '' }
  return captureThrown(error, { mechanism, context: { contexts: { react } } })
}

/**
 * Makes a handler for the options `onCaughtError`, `onUncaughtError` and `onRecoverableError` of
 * React 19's roots. The error counts as handled if `callback` is given, which is called afterwards;
 * without one it goes to the browser's console, as React itself would do.
 */
export function reactErrorHandler(
  callback?: (error: unknown, info: ReactErrorInfo, eventId: string) => void,
): (error: unknown, info: ReactErrorInfo) => void {
  return (error, info) => {
    const mechanism = { type: 'react.root', handled: callback !== undefined }
    const eventId = captureReactError(error, info, mechanism)
    if (callback === undefined) console.error(error)
    else callback(error, info, eventId)
  }
}
