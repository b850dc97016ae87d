/** The names of integrations in the other client, by which filters of the defaults know them. */
const names: Readonly<Record<string, string>> = {
  breadcrumbs: 'Breadcrumbs',
  captureConsole: 'CaptureConsole',
  dedupe: 'Dedupe',
  extraErrorData: 'ExtraErrorData',
  featureFlags: 'FeatureFlags',
  feedbackWidget: 'Feedback',
  filters: 'EventFilters',
  globalErrors: 'GlobalHandlers',
  httpClient: 'HttpClient',
  replay: 'Replay',
  replayCanvas: 'ReplayCanvas',
  sessions: 'BrowserSession',
  tracing: 'BrowserTracing',
}

export function theirName(own: string): string {
  return names[own] ?? own
}

export function ownName(their: string): string {
  return Object.entries(names).find(([, it]) => it === their)?.[0] ?? their
}
