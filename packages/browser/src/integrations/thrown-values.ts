import type { Integration } from '@afterimage/sdk-core/integration'
import { normalize } from '@afterimage/sdk-core/normalize'

/**
 * Sends the texts of thrown values that are not Errors (`throw { code: 7, user: 'bob' }`), up to
 * the usual depth and size. Without this integration names and numbers are sent, and texts are
 * masked as `********`.
 */
export function thrownValues(): Integration {
  return {
    name: 'thrownValues',
    processEvent(event, { originalException }) {
      if (event.extra?.['__serialized__'] === undefined) return event
      return { ...event, extra: { ...event.extra, __serialized__: normalize(originalException) } }
    },
  }
}
