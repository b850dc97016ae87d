import type { ApiEvent } from '@afterimage/protocol/api/event'
import { shortVersion } from '../stream/lede.ts'
import { pathOf } from './steps.ts'

export interface Fact {
  readonly label: string
  readonly value: string
  readonly href?: string
}

/** Facts in the line at most. */
const FACTS_MAX = 7

/** Returns the main facts of one event: page, person, browser, release, place, trace. */
export function factsOf(event: ApiEvent): Fact[] {
  const tags = new Map(event.tags.map((tag) => [tag.key, tag.value]))
  const context = (name: string) => {
    const found = event.contexts[name]
    const words = [found?.['name'], found?.['version']].filter((part) => typeof part === 'string')
    return words.length === 0 ? null : words.join(' ')
  }
  const browser = [tags.get('browser') ?? context('browser'), tags.get('os') ?? context('os')]
  const url = tags.get('url') ?? requestUrl(event)
  const facts: (Fact | null)[] = [
    fact('Page', tags.get('transaction') ?? (url === null ? null : pathOf(url))),
    fact('Person', personOf(event)),
    fact('Browser', browser.filter((part) => part !== null && part !== undefined).join(', ')),
    fact('Release', event.release === null ? null : shortVersion(event.release.version)),
    fact('Environment', event.environment),
    fact('Server', tags.get('server_name') ?? null),
    fact('Runtime', tags.get('runtime') ?? context('runtime')),
    event.traceId === null
      ? null
      : {
          label: 'Trace',
          value: `${event.traceId.slice(0, 4)}…${event.traceId.slice(-2)}`,
          href: `/traces/${event.traceId}`,
        },
    fact('Client', event.sdk === null ? null : `${event.sdk.name} ${event.sdk.version}`),
  ]
  return facts.filter((one) => one !== null).slice(0, FACTS_MAX)
}

/** Returns the best name of the affected person; null when the event names nobody. */
export function personOf(event: Pick<ApiEvent, 'user'>): string | null {
  const user = event.user
  if (user === null) return null
  return (
    user.name ??
    user.username ??
    user.email ??
    (user.id === null ? user.ip_address : shortId(user.id))
  )
}

function fact(label: string, value: string | null): Fact | null {
  return value === null || value === '' ? null : { label, value }
}

function requestUrl(event: ApiEvent): string | null {
  const entry = event.entries.find((one) => one.type === 'request')
  return entry?.type === 'request' ? entry.data.url : null
}

function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 6)}…${id.slice(-2)}` : id
}
