import { cleanAddress } from '../clean-address.ts'
import type { Client } from '../client.ts'
import { describeElement } from '../describe-element.ts'
import { guarded } from '../guard.ts'
import type { Integration } from '../integration.ts'
import { watchConsole } from '../watch/console.ts'
import { watchFetch } from '../watch/fetch.ts'
import { watchHistory } from '../watch/history.ts'
import { watchXhr } from '../watch/xhr.ts'

/** Events of one kind on one element within this time make one breadcrumb. */
const sameElementMs = 1000

/** What led to an error: console, clicks and input, requests, and changes of the address. */
export function breadcrumbs(): Integration {
  return {
    name: 'breadcrumbs',
    setup(client) {
      const undo = [
        onConsole(client),
        onElements(client),
        onRequests(client),
        onHistory(client),
      ].flat()
      return () => undo.forEach((step) => step())
    },
  }
}

function onConsole(client: Client): () => void {
  return watchConsole((call) => {
    const { level, values } = call
    const shown = level === 'assert' ? values.slice(1) : values
    client.addBreadcrumb(
      {
        category: 'console',
        level: level === 'warn' ? 'warning' : level === 'assert' ? 'error' : level,
        message: (level === 'assert' ? 'Assertion failed: ' : '') + shown.map(textOf).join(' '),
      },
      { ...call },
    )
  })
}

/** As the console prefix shows them; objects only by their kind. */
function textOf(value: unknown): string {
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : String(value)
  } catch {
    return '[Unreadable]'
  }
}

function onElements(client: Client): (() => void)[] {
  return ['click', 'input'].map((type) => {
    let last: EventTarget | null = null
    let lastAt = 0
    const listen = guarded((event: Event) => {
      const target = event.composedPath()[0] ?? event.target
      const isRepeated = target === last && event.timeStamp - lastAt < sameElementMs
      last = target
      lastAt = event.timeStamp
      if (isRepeated || !(target instanceof Element)) return
      client.addBreadcrumb(
        { category: `ui.${type}`, message: describeElement(target, client.options.unmask) },
        { event },
      )
    })
    const options = { capture: true, passive: true }
    document.addEventListener(type, listen, options)
    return () => document.removeEventListener(type, listen, options)
  })
}

function onRequests(client: Client): (() => void)[] {
  function add(
    category: 'fetch' | 'xhr',
    { method, address }: { readonly method: string; readonly address: string },
    status: number,
    hint: Readonly<Record<string, unknown>>,
  ): void {
    client.addBreadcrumb(
      {
        type: 'http',
        category,
        ...((status === 0 || status >= 400) && {
          level: status === 0 || status >= 500 ? 'error' : 'warning',
        }),
        data: {
          method,
          url: cleanAddress(address, client.options.keepQuery),
          ...(status > 0 && { status_code: status }),
        },
      },
      hint,
    )
  }
  return [
    watchFetch(
      (start) => (end) => add('fetch', start, end.response?.status ?? 0, { ...start, ...end }),
    ),
    watchXhr((start) => () => add('xhr', start, start.xhr.status, { ...start })),
  ]
}

function onHistory(client: Client): () => void {
  return watchHistory((change) => {
    const { from, to } = change
    client.addBreadcrumb(
      { category: 'navigation', data: { from: shown(from), to: shown(to) } },
      { ...change },
    )
  })
  function shown(address: string): string {
    const { origin } = location
    const clean = cleanAddress(address, client.options.keepQuery)
    return clean.startsWith(`${origin}/`) ? clean.slice(origin.length) : clean
  }
}
