import type { Integration } from './integration.ts'

/** An equal error this long after the last one is a new occurrence. */
export const repeatMs = 5000

/**
 * Discards an error that equals the one before it. A storm of one error is reported once, as long as
 * it lasts; the same error on the next click, after `repeatMs` without it, is reported again.
 */
export function dedupe(): Integration {
  let last = ''
  let lastAt = 0
  return {
    name: 'dedupe',
    processEvent(event) {
      if (event.type) return event
      const { message, fingerprint, exception } = event
      const signature = JSON.stringify([message, fingerprint, exception])
      const now = Date.now()
      const isRepeated = signature === last && now - lastAt < repeatMs
      last = signature
      lastAt = now
      return isRepeated ? null : event
    },
  }
}
