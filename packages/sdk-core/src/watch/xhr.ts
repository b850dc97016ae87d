import { guard } from '../guard.ts'
import { createWatch, patch } from './watch.ts'

/** A request about to be sent by an XMLHttpRequest; headers may still be set. */
export interface XhrStart {
  readonly xhr: XMLHttpRequest
  readonly method: string
  readonly address: string
  readonly body: unknown
}

/** `XMLHttpRequest.DONE` */
const done = 4

interface Request {
  readonly method: string
  readonly address: string
  end?: () => void
}

/**
 * Every XMLHttpRequest of the page, from `send` to its end. Our listeners are added at `open`, so
 * that they run before the page's own.
 */
export const watchXhr = createWatch<XhrStart>((tell) => {
  const requests = new WeakMap<XMLHttpRequest, Request>()
  const { prototype } = XMLHttpRequest
  return [
    patch(
      prototype,
      'open',
      (original) =>
        function open(...values) {
          guard(() => {
            const xhr = this as XMLHttpRequest
            if (!requests.has(xhr)) {
              xhr.addEventListener('readystatechange', () => {
                if (xhr.readyState === done) requests.get(xhr)?.end?.()
              })
            }
            const [method, address] = values
            requests.set(xhr, { method: String(method).toUpperCase(), address: String(address) })
          })
          return original.apply(this, values)
        },
    ),
    patch(
      prototype,
      'send',
      (original) =>
        function send(...values) {
          guard(() => {
            const xhr = this as XMLHttpRequest
            const request = requests.get(xhr)
            if (request) request.end = tell({ xhr, ...request, body: values[0] })
          })
          return original.apply(this, values)
        },
    ),
  ]
})
