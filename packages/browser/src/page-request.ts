import { cleanAddress } from './clean-address.ts'
import type { Integration } from './integration.ts'
import type { Options } from './options.ts'

/** The page an event happened on. */
export function pageRequest({ keepQuery }: Options): Integration {
  return {
    name: 'pageRequest',
    processEvent(event) {
      const { referrer } = document
      event.request ??= {
        url: cleanAddress(location.href, keepQuery),
        headers: {
          ...(referrer && { Referer: cleanAddress(referrer, keepQuery) }),
          'User-Agent': navigator.userAgent,
        },
      }
      return event
    },
  }
}
