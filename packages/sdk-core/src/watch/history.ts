import { guard } from '../guard.ts'
import { listen } from '../listen.ts'
import { createWatch, patch } from './watch.ts'

/**
 * A change of the page's address without a new document. Addresses are absolute, and not cleaned.
 */
export interface HistoryChange {
  readonly from: string
  readonly to: string
  readonly type: 'push' | 'replace' | 'pop'
}

/** `pushState`, `replaceState` and the back and forward buttons, when the address changed. */
export const watchHistory = createWatch<HistoryChange>((tell) => {
  let address = location.href
  function check(type: HistoryChange['type']): void {
    const from = address
    address = location.href
    if (address !== from) tell({ from, to: address, type })()
  }
  const patches = (['push', 'replace'] as const).map((type) =>
    patch(
      history,
      `${type}State`,
      (original) =>
        function state(...values) {
          original.apply(this, values)
          guard(() => check(type))
        },
    ),
  )
  return [...patches, listen(window, 'popstate', () => check('pop'))]
})
