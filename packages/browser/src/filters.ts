import type { SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'
import { matches } from './matches.ts'
import type { Options } from './options.ts'

/**
 * What is never worth a report: notices that browsers raise as errors, and what apps, proxies and
 * extensions inject into pages they show.
 */
const noise =
  /^ResizeObserver loop|property:? "?(googletag|solana)|variable: (gmo|_AutofillCallback)|\.getRestrictions is|Object Not Found Matching|Java (object is gone|exception was)|\(evaluating 'a\.[A-Z]'\)$/

const extension = /^([a-z-]+-extension|webkit-masked-url):\/\//

/** Discards errors that nobody wants: the built-in list, then what the options name. */
export function filters(options: Options): Integration {
  return {
    name: 'filters',
    processEvent: (event) => (!event.type && isUnwanted(event, options) ? null : event),
  }
}

function isUnwanted({ message, exception }: SdkEvent, options: Options): boolean {
  const { ignoreErrors, denyUrls, allowUrls } = options
  const { type = '', value = '', stacktrace } = exception?.values.at(-1) ?? {}
  // `Script error.` is all that a browser says about scripts of other origins.
  if (!stacktrace && !(message || value.replace(/^Script error\.?$/, ''))) return true
  const texts = [message ?? '', value, `${type}: ${value}`]
  if (texts.some((text) => noise.test(text) || matches(text, ignoreErrors))) return true
  // The file that threw: of the newest frame that has an address.
  const address = stacktrace?.frames?.findLast((it) => /^[\w-]+:/.test(it.filename ?? ''))?.filename
  return (
    !!address &&
    ((extension.test(address) && !extension.test(location.href)) ||
      matches(address, denyUrls) ||
      (!!allowUrls?.[0] && !matches(address, allowUrls)))
  )
}
