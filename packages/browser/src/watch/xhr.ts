import { guard } from '../guard.ts'
import { createWatch, patch } from './watch.ts'

/** A request about to be sent by an XMLHttpRequest; headers may still be set. */
export interface XhrStart {
  readonly xhr: XMLHttpRequest
  readonly method: string
  readonly address: string
  readonly body: unknown
}

const opened = new WeakMap<XMLHttpRequest, { method: string; address: string }>()

/** Every XMLHttpRequest of the page, from `send` to `loadend`. */
export const watchXhr = createWatch<XhrStart>((tell) => {
  const { prototype } = XMLHttpRequest
  return [
    patch(
      prototype,
      'open',
      (original) =>
        function open(...values) {
          guard(() =>
            opened.set(this as XMLHttpRequest, {
              method: String(values[0]).toUpperCase(),
              address: String(values[1]),
            }),
          )
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
            const request = opened.get(xhr)
            if (request === undefined) return
            const end = tell({ xhr, ...request, body: values[0] })
            xhr.addEventListener('loadend', () => end(), { once: true })
          })
          return original.apply(this, values)
        },
    ),
  ]
})
