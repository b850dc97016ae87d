import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import { matches } from '@afterimage/sdk-core/matches'
import type { Options } from '@afterimage/sdk-core/options'

/**
 * Errors never worth a report: notices that browsers raise as errors, and those of code that apps,
 * proxies and extensions inject into pages.
 */
const noise =
  /^ResizeObserver loop|property:? "?(googletag|solana)|variable: (gmo|_Autofill)|\.getRestrictions|Object Not Found M|Java (object is|exception) |\(evaluating 'a\.[A-Z]'\)$/

const extension = /^([a-z-]+-extension|webkit-masked-url):\/\//

/** Discards unwanted errors: those of the built-in list, then those named in the options. */
export function filters(options: Options): Integration {
  return {
    name: 'filters',
    processEvent: (event) => (!event.type && isUnwanted(event, options) ? null : event),
  }
}

function isUnwanted({ message, logentry, exception }: SdkEvent, options: Options): boolean {
  const { ignoreErrors, denyUrls, allowUrls } = options
  const thrown = exception?.values.at(-1)
  const { type = '', value = '', stacktrace } = thrown ?? {}
  // `Script error.` is all that a browser reveals about scripts of other origins.
  if (thrown && !stacktrace && !message && /^(Script error\.?)?$/.test(value)) return true
  const texts = [message ?? logentry?.message ?? '', value, `${type}: ${value}`]
  if (texts.some((text) => noise.test(text) || matches(text, ignoreErrors))) return true
  // The file that threw is that of the newest frame with an address.
  const address = stacktrace?.frames?.findLast((it) => /^[\w-]+:/.test(it.filename ?? ''))?.filename
  return (
    !!address &&
    ((extension.test(address) && !extension.test(location.href)) ||
      matches(address, denyUrls) ||
      (!!allowUrls?.[0] && !matches(address, allowUrls)))
  )
}
