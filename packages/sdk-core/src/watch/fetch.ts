import { guard } from '../guard.ts'
import { createWatch, patch } from './watch.ts'

/** A request about to be made with `fetch`. Listeners may replace what is in `values`. */
export interface FetchStart {
  readonly method: string
  readonly address: string
  /** Arguments of the page's call: `[input, init]`. */
  readonly values: [input: RequestInfo | URL, init?: RequestInit]
}

/** The response once its headers came, else the error of the request. */
export type FetchEnd =
  | { readonly response: Response }
  | { readonly response: null; readonly error: unknown }

/** Every `fetch` of the page, apart from the client's own. */
export const watchFetch = createWatch<FetchStart, FetchEnd>((tell) => [
  patch(
    globalThis,
    'fetch',
    (original) =>
      function fetch(...values) {
        const end = guard(() => {
          const [input, init] = values as unknown as FetchStart['values']
          const { method = 'GET', url = input } = input as Partial<Request>
          return tell({
            method: String(init?.method ?? method).toUpperCase(),
            address: String(url),
            values: values as unknown as FetchStart['values'],
          })
        })
        const answer = original.apply(globalThis, values) as Promise<Response>
        // The page may have replaced it with anything.
        if (!answer?.then) return answer
        // The page gets the promise that follows ours. A branch beside it would mark a failure as
        // handled that the page does not handle, and nobody would hear of it.
        return answer.then(
          (response) => {
            end?.({ response })
            return response
          },
          (error: unknown) => {
            end?.({ response: null, error })
            throw error
          },
        )
      },
  ),
])
