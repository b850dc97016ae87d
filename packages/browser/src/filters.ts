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
export function filters({ ignoreErrors, denyUrls, allowUrls }: Options): Integration {
  return {
    name: 'filters',
    processEvent(event) {
      const thrown = event.exception?.values.at(-1)
      const { type = '', value = '', stacktrace } = thrown ?? {}
      const message = event.message ?? event.logentry?.message ?? ''
      // The file that threw is that of the newest frame with an address.
      const address = stacktrace?.frames?.findLast(({ filename = '' }) =>
        /^[\w-]+:/.test(filename),
      )?.filename
      const isUnwanted =
        // `Script error.` is all that a browser reveals about scripts of other origins.
        (thrown && !stacktrace && !event.message && /^(Script error\.?)?$/.test(value)) ||
        [message, value, `${type}: ${value}`].some(
          (text) => noise.test(text) || matches(text, ignoreErrors),
        ) ||
        (address &&
          ((extension.test(address) && !extension.test(location.href)) ||
            matches(address, denyUrls) ||
            (allowUrls?.[0] && !matches(address, allowUrls))))
      return isUnwanted && !event.type ? null : event
    },
  }
}
