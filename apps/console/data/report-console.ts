import { init, type Client, type Integration } from '@afterimage/next/client'
import { selfMonitoringAttribute, type SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { createReportBudget } from './report-budget.ts'
import { secretPaths } from './secret-paths.ts'

/** Sample rates (docs/specification.md#s27): the client's own defaults, written out. */
export const reportingRates = { traces: 1, sessionReplays: 0.1, errorReplays: 1 }

let client: Client | null = null

/** Returns the console's own client; null where self-monitoring is off. */
export function consoleClient(): Client | null {
  return client
}

/**
 * Starts the console's own client with its document's settings; without those, self-monitoring is
 * off. Names are raw paths (the route manifest is empty) without their tokens, every page is
 * measured, one session in ten is recorded and every error brings what came before it. All text is
 * masked: the console shows what other people's applications reported.
 */
export function startReporting(): void {
  const self = handedOver()
  if (self === null) return
  const isWithin = createReportBudget()
  client = init({
    ...self,
    secretPaths,
    routeManifest: {},
    tracing: { tracesSampleRate: reportingRates.traces },
    replay: {
      sessionSampleRate: reportingRates.sessionReplays,
      onErrorSampleRate: reportingRates.errorReplays,
    },
    beforeSend: (event) => (isWithin(Date.now()) ? event : null),
    integrations: [withoutOwnRequests(self.tunnelPath)],
  })
}

function handedOver(): SelfMonitoring | null {
  const text = document.documentElement.getAttribute(selfMonitoringAttribute)
  try {
    return text === null ? null : (JSON.parse(text) as SelfMonitoring)
  } catch {
    return null
  }
}

/** Leaves requests to the tunnel out of the spans: the test of the tunnel sends its own. */
function withoutOwnRequests(tunnelPath: string): Integration {
  const isOwn = (span: unknown): boolean => {
    const { data } = span as { readonly data?: { readonly url?: unknown } }
    if (typeof data?.url !== 'string' || !URL.canParse(data.url, location.href)) return false
    const { pathname } = new URL(data.url, location.href)
    return pathname === tunnelPath || /^\/api\/\d+\/envelope\/$/.test(pathname)
  }
  return {
    name: 'withoutOwnRequests',
    processEvent: (event) =>
      event.spans === undefined
        ? event
        : { ...event, spans: event.spans.filter((span) => !isOwn(span)) },
  }
}
