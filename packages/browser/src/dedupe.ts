import type { Integration } from '@afterimage/sdk-core/integration'

/** An equal error this long after the last one is a new occurrence. */
export const repeatMs = 5000

/**
 * Discards an error that equals the previous one. A storm of one error is reported once while it
 * lasts; the same error is reported again after `repeatMs` without it.
 */
export function dedupe(): Integration {
  let last = ''
  let lastAt = 0
  return {
    name: 'dedupe',
    processEvent(event) {
      if (event.type) return event
      const signature = JSON.stringify([event.message, event.fingerprint, event.exception])
      const sinceLastMs = Date.now() - lastAt
      lastAt += sinceLastMs
      if (signature === last && sinceLastMs < repeatMs) return null
      last = signature
      return event
    },
  }
}
