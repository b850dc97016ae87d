import { guard } from '../guard.ts'
import { createWatch, patch } from './watch.ts'

/** A request about to be made with `fetch`. Listeners may replace what is in `values`. */
export interface FetchStart {
  readonly method: string
  readonly address: string
  /** What the page called with: `[input, init]`. */
  readonly values: [input: RequestInfo | URL, init?: RequestInit]
}

/** `response` when the headers came, else what the request failed with. */
export type FetchEnd =
  | { readonly response: Response }
  | { readonly response: null; readonly error: unknown }

/** Every `fetch` of the page but the client's own. */
export const watchFetch = createWatch<FetchStart, FetchEnd>((tell) => [
  patch(
    globalThis,
    'fetch',
    (original) =>
      function fetch(...values) {
        const end = guard(() => tell(describe(values as unknown as FetchStart['values'])))
        const answer = original.apply(globalThis, values) as Promise<Response>
        // What a page has put in its place may answer anything.
        if (!answer?.then) return answer
        // The page gets what follows ours: a branch beside it would count as handling a failure that
        // the page does not handle, and nobody would hear of that.
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

function describe(values: FetchStart['values']): FetchStart {
  const [input, init] = values
  const { method = 'GET', url = input } = input as Partial<Request>
  return {
    method: String(init?.method ?? method).toUpperCase(),
    address: String(url),
    values,
  }
}
