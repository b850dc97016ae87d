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
    setup: (client) =>
      [onConsole, onElements, onRequests, onHistory].flatMap((watch) => watch(client)),
  }
}

function onConsole(client: Client): () => void {
  return watchConsole(({ level, values }) =>
    client.addBreadcrumb(
      {
        category: 'console',
        level: level === 'warn' ? 'warning' : level,
        message: values.map(textOf).join(' '),
      },
      { values },
    ),
  )
}

function onElements(client: Client): (() => void)[] {
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

function onRequests(client: Client): (() => void)[] {
  function add(category: string, start: FetchStart | XhrStart, status: number, end?: object): void {
    client.addBreadcrumb(
      {
        type: 'http',
        category,
        level: !status || status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info',
        data: {
          method: start.method,
          url: cleanAddress(start.address, client.options.keepQuery),
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

function onHistory(client: Client): () => void {
  // Addresses of the page's own origin are written without it.
  const shown = (address: string): string =>
    cleanAddress(address, client.options.keepQuery).replace(`${location.origin}/`, '/')
  return watchHistory((change) =>
    client.addBreadcrumb(
      { category: 'navigation', data: { from: shown(change.from), to: shown(change.to) } },
      { ...change },
    ),
  )
}
