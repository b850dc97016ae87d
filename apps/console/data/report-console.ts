import { init, type Integration } from '@afterimage/next/client'
import { selfMonitoringAttribute, type SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { createReportBudget } from './report-budget.ts'

/**
 * Starts the console's own client with what its document says; without that the console is not
 * monitored. Names are raw paths (the route manifest is empty), every page is measured, one session
 * in ten is recorded and every error brings what came before it. All text is masked: the console
 * shows what other people's applications reported.
 */
export function startReporting(): void {
  const self = handedOver()
  if (self === null) return
  const isWithin = createReportBudget()
  init({
    ...self,
    routeManifest: {},
    tracing: { tracesSampleRate: 1 },
    replay: { sessionSampleRate: 0.1, onErrorSampleRate: 1 },
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

/** The console also sends reports by hand (the test of its tunnel); none is measured by another. */
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
