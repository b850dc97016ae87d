import { queuedCalls } from './stub.ts'
import type { Stub } from './stub.ts'

/**
 * The small script in a page's head, inline or as a file. It fetches the client without blocking
 * the page, and keeps calls and uncaught errors until then. The client's address is `data-src`, or
 * a file beside the loader.
 */
const eventsMax = 20
const callsMax = 100

const { dataset, src, nonce } = document.currentScript as HTMLScriptElement
const queue: Stub['queue'] = []
const events: Event[] = []
const keep = (name: string, ...values: unknown[]): void => {
  if (queue.length < callsMax) queue.push([name, values])
}
const onEvent = (event: Event): void => {
  if (events.length < eventsMax) events.push(event)
}
const types = ['error', 'unhandledrejection']
const stub: Record<string, unknown> & Stub = {
  queue,
  events,
  onLoad: (run: () => void) => keep('', run),
  stop: () => types.forEach((type) => removeEventListener(type, onEvent)),
}
for (const name of queuedCalls) stub[name] = keep.bind(null, name)
for (const type of types) addEventListener(type, onEvent)
Object.assign(globalThis, { Afterimage: stub })

const script = document.createElement('script')
script.src = trusted(dataset['src'] ?? src.replace(/loader\.js/, 'afterimage.js'))
script.async = true
script.crossOrigin = 'anonymous'
if (nonce) script.nonce = nonce
document.head.append(script)

/**
 * Passes an address through the policy `afterimage`, for pages that require Trusted Types. Where
 * that policy is not allowed, or browsers know none, the address stays a text.
 */
function trusted(address: string): string {
  try {
    return trustedTypes
      .createPolicy('afterimage', { createScriptURL: (it) => it })
      .createScriptURL(address)
  } catch {
    return address
  }
}

/** The part in use; the trusted value is taken for the text that it stands for. */
declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createScriptURL(it: string): string },
  ): { createScriptURL(it: string): string }
}
