import { cleanAddress } from './clean-address.ts'
import type { SdkEvent } from './event.ts'

/** Describes the current page; `keepQuery` names the query parameters whose values may be sent. */
export function describePage(keepQuery?: readonly string[]): NonNullable<SdkEvent['request']> {
  return {
    url: cleanAddress(location.href, keepQuery),
    headers: {
      Referer: cleanAddress(document.referrer, keepQuery) || undefined,
      'User-Agent': navigator.userAgent,
    },
  } as NonNullable<SdkEvent['request']>
}
