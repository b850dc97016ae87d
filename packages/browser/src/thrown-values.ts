import type { Integration } from '@afterimage/sdk-core/integration'
import { normalize } from '@afterimage/sdk-core/normalize'

/**
 * Texts of what is thrown and is no Error (`throw { code: 7, user: 'bob' }`) are masked: names and
 * numbers are sent, texts as `********`. With this integration they are sent as they are, up to the
 * depth and size of everything else.
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
