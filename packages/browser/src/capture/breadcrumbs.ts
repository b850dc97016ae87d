import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import { describeElement } from '@afterimage/sdk-core/describe-element'
import type { Integration } from '@afterimage/sdk-core/integration'
import { sameElementMs } from '../limits.ts'
import { listen } from '@afterimage/sdk-core/listen'
import { textOf } from '@afterimage/sdk-core/normalize'
import { watchConsole } from '@afterimage/sdk-core/watch/console'
import { watchFetch } from '@afterimage/sdk-core/watch/fetch'
import type { FetchStart } from '@afterimage/sdk-core/watch/fetch'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import { watchXhr } from '@afterimage/sdk-core/watch/xhr'
import type { XhrStart } from '@afterimage/sdk-core/watch/xhr'

/** Records breadcrumbs of the console, clicks and input, requests, and changes of the address. */
export function breadcrumbs(): Integration {
  return {
    name: 'breadcrumbs',
    setup(client) {
      const { addBreadcrumb, options } = client
      const shown = (address: string): string => cleanAddress(address, options.keepQuery)
      // Addresses of the page's own origin are written without it.
      const path = (address: string): string => shown(address).replace(`${location.origin}/`, '/')
      return [
        watchConsole(({ level, values }) =>
          addBreadcrumb(
            {
              category: 'console',
              level: level === 'warn' ? 'warning' : level,
              message: values.map(textOf).join(' '),
            },
            { values },
          ),
        ),
        ...watchElements(client),
        ...watchRequests(addBreadcrumb, shown),
        watchHistory((change) =>
          addBreadcrumb(
            { category: 'navigation', data: { from: path(change.from), to: path(change.to) } },
            { ...change },
          ),
        ),
      ]
    },
  }
}

function watchElements(client: Client): (() => void)[] {
  return ['click', 'input'].map((type) => {
    let last: EventTarget | undefined
    let lastAt = 0
    return listen(document, type, (event: Event) => {
      const target = event.composedPath()[0]
      const isRepeated = target === last && event.timeStamp - lastAt < sameElementMs
      last = target
      lastAt = event.timeStamp
      if (isRepeated || !(target instanceof Element)) return
      client.addBreadcrumb(
        { category: `ui.${type}`, message: describeElement(target, client.labels) },
        { event },
      )
    })
  })
}

function watchRequests(
  addBreadcrumb: Client['addBreadcrumb'],
  shown: (address: string) => string,
): (() => void)[] {
  function add(category: string, start: FetchStart | XhrStart, status: number, end?: object): void {
    addBreadcrumb(
      {
        type: 'http',
        category,
        level: !status || status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info',
        data: {
          method: start.method,
          url: shown(start.address),
          status_code: status || undefined,
        },
      },
      { ...start, ...end },
    )
  }
  return [
    watchFetch((start) => (end) => add('fetch', start, end.response?.status ?? 0, end)),
    watchXhr((start) => () => add('xhr', start, start.xhr.status)),
  ]
}
