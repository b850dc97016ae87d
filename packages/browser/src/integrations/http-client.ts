import { captureEvent } from '@afterimage/sdk-core/api'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import { exceptionEvent } from '@afterimage/sdk-core/exception'
import type { Integration } from '@afterimage/sdk-core/integration'
import { matches } from '@afterimage/sdk-core/matches'
import type { Pattern } from '@afterimage/sdk-core/options'
import { describePage } from '@afterimage/sdk-core/page-request'
import { watchFetch } from '@afterimage/sdk-core/watch/fetch'
import { watchXhr } from '@afterimage/sdk-core/watch/xhr'

export interface HttpClientOptions {
  /** Statuses, or ranges of them, first and last; 500 to 599 by default. */
  readonly failedRequestStatusCodes?: readonly (number | readonly [first: number, last: number])[]
  /** Absolute addresses of requests that are reported; all by default. */
  readonly failedRequestTargets?: readonly Pattern[]
}

interface Failure {
  readonly kind: 'fetch' | 'xhr'
  readonly method: string
  readonly address: string
  readonly status: number
  readonly length: string | null
  /** The stack of the code that made the request. */
  readonly caller: { readonly stack?: string }
}

/**
 * Reports requests of the page that were answered with a failure. Their headers, bodies and values
 * in the query are not sent.
 */
export function httpClient(options: HttpClientOptions = {}): Integration {
  const { failedRequestStatusCodes = [[500, 599]], failedRequestTargets = [''] } = options

  function isFailure(address: string, status: number): boolean {
    return (
      failedRequestStatusCodes.some((it) => {
        const [first, last] = typeof it === 'number' ? [it, it] : it
        return status >= first && status <= last
      }) && matches(address, failedRequestTargets)
    )
  }

  return {
    name: 'httpClient',
    setup(client) {
      function end(failure: Failure): void {
        const { href } = new URL(failure.address, document.baseURI)
        if (isFailure(href, failure.status)) report(client, { ...failure, address: href })
      }
      return [
        watchFetch(({ method, address }) => {
          const caller = stackAbove(fetch)
          return ({ response }) => {
            if (!response) return
            const length = response.headers.get('content-length')
            end({ kind: 'fetch', method, address, status: response.status, length, caller })
          }
        }),
        watchXhr(({ xhr, method, address }) => {
          // oxlint-disable-next-line typescript/unbound-method -- named, not called
          const caller = stackAbove(XMLHttpRequest.prototype.send)
          return () => {
            // A request that failed without an answer has no headers.
            const length = xhr.status ? xhr.getResponseHeader('content-length') : null
            end({ kind: 'xhr', method, address, status: xhr.status, length, caller })
          }
        }),
      ]
    },
  }
}

/** Returns the stack below a function; without one where the engine cannot cut it there. */
function stackAbove(caller: unknown): { readonly stack?: string } {
  const here: { stack?: string } = {}
  Error.captureStackTrace?.(here, caller as () => void)
  return here
}

function report({ options }: Client, failure: Failure): void {
  const { kind, method, status, length, caller } = failure
  const url = cleanAddress(failure.address, options.keepQuery)
  const message = `${method} ${url} was answered with status ${status}`
  const hint = {
    mechanism: { type: `http.client.${kind}`, handled: true },
    syntheticException: caller,
  }
  const error = Object.assign(new Error(message), { name: 'HttpClientError', stack: '' })
  captureEvent(
    {
      ...exceptionEvent(error, hint),
      request: { ...describePage(options.keepQuery), url, method },
      contexts: {
        response: { status_code: status, body_size: length === null ? undefined : Number(length) },
      },
    },
    hint,
  )
}
