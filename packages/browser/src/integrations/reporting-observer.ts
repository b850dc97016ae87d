import { captureEvent } from '@afterimage/sdk-core/api'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import type { Client } from '@afterimage/sdk-core/client'
import { guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { normalize, textOf } from '@afterimage/sdk-core/normalize'

export interface ReportingObserverOptions {
  /** Kinds of reports; `crash`, `deprecation` and `intervention` by default. */
  readonly types?: readonly string[]
}

interface BrowserReport {
  readonly type: string
  readonly url: string
  /** Its members are getters of its class. */
  readonly body: Readonly<Record<string, unknown>> | null
}

interface BrowserReportingObserver {
  observe(): void
  disconnect(): void
}

declare const ReportingObserver:
  | (new (
      listener: (reports: readonly BrowserReport[]) => void,
      options: { readonly types: readonly string[]; readonly buffered: boolean },
    ) => BrowserReportingObserver)
  | undefined

/** Reports what the browser says about the page itself, where it has a `ReportingObserver`. */
export function reportingObserver(options: ReportingObserverOptions = {}): Integration {
  const { types = ['crash', 'deprecation', 'intervention'] } = options
  return {
    name: 'reportingObserver',
    setup(client) {
      if (typeof ReportingObserver === 'undefined') return undefined
      const observer = new ReportingObserver(
        (reports) => guardEach(reports, (it) => capture(client, it)),
        { types, buffered: true },
      )
      observer.observe()
      return [() => observer.disconnect()]
    },
  }
}

function capture({ options }: Client, { type, url, body }: BrowserReport): void {
  const clean = (value: unknown): string => cleanAddress(textOf(value), options.keepQuery)
  const members: Record<string, unknown> = {}
  for (const name in body) {
    const isAddress = /file|url/i.test(name) && typeof body[name] === 'string'
    members[name] = isAddress ? clean(body[name]) : body[name]
  }
  const details = [members['message'], members['crashId'], members['reason']].filter(Boolean)
  captureEvent({
    message: `ReportingObserver [${type}]: ${details.map(textOf).join(' ') || 'No details available'}`,
    level: 'info',
    extra: { url: clean(url), body: normalize(members) },
  })
}
