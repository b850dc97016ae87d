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
script.src = dataset['src'] ?? src.replace(/loader\.js/, 'afterimage.js')
script.async = true
script.crossOrigin = 'anonymous'
if (nonce) script.nonce = nonce
document.head.append(script)
