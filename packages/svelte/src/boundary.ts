import { captureThrown } from '@afterimage/sdk-core/api'

/**
 * Reports what a boundary has caught: `<svelte:boundary onerror={captureBoundaryError}>`. The error
 * is logged too, as Svelte does where nobody handles it. Returns the event's id.
 */
export function captureBoundaryError(error: unknown): string {
  console.error(error)
  return captureThrown(error, { mechanism: { type: 'svelte.boundary', handled: true } })
}
