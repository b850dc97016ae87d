import { cleanAddress } from '../clean-address.ts'
import type { Client } from '../client.ts'
import { describeElement } from '../describe-element.ts'
import type { Integration } from '../integration.ts'
import { sameElementMs } from '../limits.ts'
import { listen } from '../listen.ts'
import { textOf } from '../normalize.ts'
import { watchConsole } from '../watch/console.ts'
import { watchFetch } from '../watch/fetch.ts'
import type { FetchStart } from '../watch/fetch.ts'
import { watchHistory } from '../watch/history.ts'
import { watchXhr } from '../watch/xhr.ts'
import type { XhrStart } from '../watch/xhr.ts'

/** What led to an error: console, clicks and input, requests, and changes of the address. */
export function breadcrumbs(): Integration {
  return {
    name: 'breadcrumbs',
    setup: (client) =>
      [onConsole(client), onElements(client), onRequests(client), onHistory(client)].flat(),
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
        { category: `ui.${type}`, message: describeElement(target, client.options.unmask) },
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
  // Addresses of the same origin without it.
  const shown = (address: string): string =>
    cleanAddress(address, client.options.keepQuery).replace(`${location.origin}/`, '/')
  return watchHistory((change) =>
    client.addBreadcrumb(
      { category: 'navigation', data: { from: shown(change.from), to: shown(change.to) } },
      { ...change },
    ),
  )
}
