import type { ApiEvent, ApiFrame } from '@afterimage/protocol/api/event'

function frame(change: Partial<ApiFrame>): ApiFrame {
  return {
    filename: null,
    absPath: null,
    module: null,
    package: null,
    function: null,
    rawFunction: null,
    lineNo: null,
    colNo: null,
    inApp: true,
    context: [],
    vars: null,
    platform: null,
    ...change,
  }
}

function sampleEntries(): ApiEvent['entries'] {
  const frames = [
    frame({ function: 'onSubmit', filename: 'checkout/voucher-form.tsx', lineNo: 29 }),
    frame({
      function: 'formatTotal',
      filename: 'checkout/price-summary.tsx',
      lineNo: 87,
      colNo: 42,
    }),
  ]
  const stacktrace = { frames, framesOmitted: null, hasSystemFrames: false }
  return [
    {
      type: 'exception',
      data: {
        hasSystemFrames: false,
        values: [
          {
            type: 'TypeError',
            value: 'x is undefined',
            module: null,
            threadId: null,
            mechanism: null,
            stacktrace,
            rawStacktrace: null,
          },
        ],
      },
    },
    {
      type: 'breadcrumbs',
      data: {
        values: [
          {
            timestamp: '2026-11-20T11:59:53.600Z',
            type: 'default',
            category: 'ui.click',
            level: 'info',
            message: 'button.apply',
            data: null,
            event_id: null,
          },
        ],
      },
    },
  ]
}

/** An event for tests, with what a test changes. */
export function sampleEvent(change: Partial<ApiEvent> = {}): ApiEvent {
  const id = '9f3c1d2e'.repeat(4)
  return {
    id,
    eventID: id,
    projectID: '1',
    projectSlug: 'web',
    groupID: '1',
    type: 'error',
    title: 'TypeError: x is undefined',
    culprit: 'formatTotal',
    message: '',
    platform: 'javascript',
    location: null,
    dateCreated: '2026-11-20T12:00:00.000Z',
    dateReceived: '2026-11-20T12:00:00.300Z',
    dateClient: null,
    size: 8000,
    user: null,
    tags: [{ key: 'browser', value: 'Safari 17.6' }],
    contexts: {},
    context: {},
    packages: {},
    sdk: null,
    release: { version: '2.14.0' },
    dist: null,
    environment: 'production',
    metadata: {},
    entries: sampleEntries(),
    errors: [],
    fingerprints: [],
    nextEventID: null,
    previousEventID: null,
    replayId: null,
    traceId: null,
    ...change,
  }
}
