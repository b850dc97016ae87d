import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import { watchFetch } from '@afterimage/sdk-core/watch/fetch'
import { watchXhr } from '@afterimage/sdk-core/watch/xhr'
import type { NetworkOptions } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import type { Details, NetworkDetails } from './network-details.ts'
import { addSpan } from './span.ts'

/**
 * Records fetch and XHR requests as spans. Headers and bodies need an option; the code for them is
 * a chunk of its own, which other pages do not load.
 */
export function watchNetwork(
  recorder: Recorder,
  network: NetworkOptions | undefined,
  keepQuery: readonly string[] | undefined,
): (() => void)[] {
  let details: NetworkDetails | undefined
  if (network?.allow.length) {
    void import('./network-details.ts').then(
      (module) => (details = module.createDetails(network)),
      () => undefined,
    )
  }
  /** Called when the request begins; what it returns is called at its end. */
  function begin(kind: 'fetch' | 'xhr', method: string, address: string) {
    const startedAt = Date.now()
    return (statusCode: number, given?: Details): void => {
      const data = { method, statusCode, ...given }
      addSpan(
        recorder,
        `resource.${kind}`,
        cleanAddress(address, keepQuery),
        data,
        startedAt,
        Date.now(),
      )
    }
  }
  return [
    watchFetch(({ method, address, values }) => {
      const end = begin('fetch', method, address)
      return ({ response }) => {
        const finish = (given?: Details): void => end(response?.status ?? 0, given)
        const more = guard(() =>
          details?.ofFetch(address, values[1] ?? (values[0] as RequestInit), response),
        )
        if (more) void more.then(finish)
        else finish()
      }
    }),
    watchXhr(({ xhr, method, address, body }) => {
      const end = begin('xhr', method, address)
      return () =>
        end(
          xhr.status,
          guard(() => details?.ofXhr(address, body, xhr)),
        )
    }),
  ]
}
