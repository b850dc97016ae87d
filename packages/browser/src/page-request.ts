import { cleanAddress } from './clean-address.ts'
import type { SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'
import type { Options } from './options.ts'

/** The page an event happened on. */
export function pageRequest({ keepQuery }: Options): Integration {
  return {
    name: 'pageRequest',
    processEvent(event) {
      event.request ??= describePage(keepQuery)
      return event
    },
  }
}

/** The page as it is now; `keepQuery` names the query parameters whose values may be sent. */
export function describePage(keepQuery?: readonly string[]): NonNullable<SdkEvent['request']> {
  const { referrer } = document
  return {
    url: cleanAddress(location.href, keepQuery),
    headers: {
      ...(referrer && { Referer: cleanAddress(referrer, keepQuery) }),
      'User-Agent': navigator.userAgent,
    },
  }
}
