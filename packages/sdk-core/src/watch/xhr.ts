import { guard } from '../guard.ts'
import { listen } from '../listen.ts'
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

/** Every XMLHttpRequest of the page, from `send` to its end. */
export const watchXhr = createWatch<XhrStart>((tell) => {
  const opened = new WeakMap<object, readonly unknown[]>()
  const { prototype } = XMLHttpRequest
  return [
    patch(
      prototype,
      'open',
      (original) =>
        function open(...values) {
          guard(() => opened.set(this as object, values))
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
            const [method, address] = opened.get(xhr)!
            const end = tell({
              xhr,
              method: String(method).toUpperCase(),
              address: String(address),
              body: values[0],
            })
            // Runs before the listeners of the page.
            const stop = listen(xhr, 'readystatechange', () => {
              if (xhr.readyState !== done) return
              stop()
              end()
            })
          })
          return original.apply(this, values)
        },
    ),
  ]
})
