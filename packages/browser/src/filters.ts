import type { EventException } from '@afterimage/protocol/event'
import type { SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'
import type { Options, Pattern } from './options.ts'

/**
 * What is never worth a report: notices that browsers raise as errors, and what apps, proxies and
 * extensions inject into pages they show.
 */
const noise = new RegExp(
  [
    '^ResizeObserver loop (completed|limit)',
    '^Javascript error: Script error',
    `^(Can't|Cannot) (re)?define (non-configurable )?property:? "?(googletag|solana)`,
    `^Can't find variable: (gmo|_AutofillCallbackHandler)`,
    'vv\\(\\)\\.getRestrictions',
    'Object Not Found Matching Id:\\d+, MethodName:',
    '^(Error invoking .*: )?Java (object is gone|exception was raised)',
    `^undefined is not an object \\(evaluating 'a\\.[A-Z]'\\)$`,
  ].join('|'),
)

const extension = /^([a-z-]+-extension|webkit-masked-url):\/\//

/** Discards errors that nobody wants: the built-in list, then what the options name. */
export function filters(options: Options): Integration {
  return {
    name: 'filters',
    processEvent: (event) =>
      event.type === undefined && isUnwanted(event, options) ? null : event,
  }
}

function isUnwanted(event: SdkEvent, { ignoreErrors, denyUrls, allowUrls }: Options): boolean {
  const error = event.exception?.values.at(-1)
  const texts = [event.message, error?.value, error && `${error.type}: ${error.value}`].filter(
    (text) => text !== undefined,
  )
  const address = addressOf(error)
  return (
    texts.some((text) => noise.test(text)) ||
    isWithoutInformation(event, error) ||
    (extension.test(address) && !extension.test(location.href)) ||
    texts.some((text) => matches(text, ignoreErrors)) ||
    (address !== '' &&
      (matches(address, denyUrls) || (allowUrls !== undefined && !matches(address, allowUrls))))
  )
}

/** `Script error.` is all that a browser says about scripts of other origins. */
function isWithoutInformation(event: SdkEvent, error: EventException | undefined): boolean {
  if (error === undefined) return !event.message
  return (
    !error.stacktrace &&
    (/^Script error\.?$/.test(error.value ?? '') || !(error.type || error.value))
  )
}

/** The file that threw: of the newest frame that has an address. */
function addressOf(error: EventException | undefined): string {
  const frames = error?.stacktrace?.frames ?? []
  return frames.findLast(({ filename }) => filename && /^[\w-]+:/.test(filename))?.filename ?? ''
}

function matches(text: string, patterns: readonly Pattern[] | undefined): boolean {
  return (patterns ?? []).some((pattern) => {
    if (typeof pattern === 'string') return text.includes(pattern)
    // A pattern with the flag `g` remembers where it was.
    pattern.lastIndex = 0
    return pattern.test(text)
  })
}
