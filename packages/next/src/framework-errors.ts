import type { Hint, SdkEvent } from '@afterimage/sdk-core/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'

/**
 * A navigation that another one overtook, in the words of Next's router.
 * @see docs/specification.md#s6
 */
const cancelled =
  /^(Route Cancelled|Loading initial props cancelled|Cancel rendering route|Abort fetching component for route: ".*")$/

const relativeUrl = /^(?:invariant: )?invalid relative URL, router received (.*)$/i

/** React's words, in production only a number, for a page that is not what the server sent. */
const hydration = /(?:errors\/|error #)(418|419|421|422|423|425)\b|^Hydration failed because/

const causesMax = 5

/**
 * Discards cancelled navigations, which are not errors. They are counted under a reason of their own,
 * so that outcomes show how many there were.
 * @see docs/specification.md#s6
 */
export function cancelledRoutes(): Integration {
  return {
    name: 'nextCancelledRoutes',
    discardReason: 'route_cancelled',
    processEvent(event) {
      const isCancelled = !event.type && cancelled.test(event.exception?.values.at(-1)?.value ?? '')
      return isCancelled ? null : event
    },
  }
}

/**
 * Names the errors of the framework, and discards redirects, which are only thrown to leave a
 * function.
 * @see docs/specification.md#s10
 */
export function frameworkErrors(): Integration {
  return {
    name: 'nextErrors',
    processEvent: (event, hint) => (event.type === undefined ? named(event, hint) : event),
  }
}

function named(event: SdkEvent, hint: Hint): SdkEvent | null {
  const thrown = event.exception?.values.at(-1)
  const value = thrown?.value ?? ''
  if (isRedirect(event, hint.originalException)) return null
  if (thrown === undefined) return event
  if (value === 'Failed to load static props') {
    thrown.type = 'FailedStaticProps'
    return grouped(event, 'failed-static-props', ['next', 'failed-static-props'])
  }
  const [, received] = relativeUrl.exec(value) ?? []
  if (received !== undefined) {
    thrown.type = 'InvalidRelativeUrl'
    thrown.value = 'invalid relative URL'
    event.contexts = { ...event.contexts, next: { received: cleanAddress(received) } }
    return grouped(event, 'invalid-relative-url', ['next', 'invalid-relative-url'])
  }
  const [isHydration, code] = hydration.exec(value) ?? []
  if (isHydration !== undefined) {
    thrown.type = 'HydrationError'
    thrown.value = 'Hydration failed because the server had drawn something else'
    if (code !== undefined) event.contexts = { ...event.contexts, react: { error: Number(code) } }
    return grouped(event, 'hydration', ['next', 'hydration', event.transaction ?? ''])
  }
  return event
}

/** Their words hold addresses, or nothing at all: a fixed fingerprint keeps each of them one issue. */
function grouped(event: SdkEvent, name: string, fingerprint: readonly string[]): SdkEvent {
  event.tags = { ...event.tags, 'next.error': name }
  event.fingerprint ??= fingerprint
  return event
}

function isRedirect(event: SdkEvent, thrown: unknown): boolean {
  if (event.exception?.values[0]?.value === 'NEXT_REDIRECT') return true
  let link: unknown = thrown
  for (let depth = 0; depth <= causesMax && typeof link === 'object' && link !== null; depth += 1) {
    const { digest, cause } = link as { readonly digest?: unknown; readonly cause?: unknown }
    if (typeof digest === 'string' && digest.startsWith('NEXT_REDIRECT;')) return true
    link = cause
  }
  return false
}
