/** A small recording, written by hand: a page with a heading that changes, a click, a request, a vital. */
export function recordedReplay(options: {
  readonly replayId: string
  /** ms since the epoch: its first moment. */
  readonly at: number
  readonly dsn: string
}): string {
  const { replayId, at } = options
  const seconds = (offset: number) => (at + offset) / 1000
  const event = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: 0,
    replay_type: 'session',
    replay_start_timestamp: seconds(0),
    timestamp: seconds(30_000),
    urls: ['https://shop.example/cart'],
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    user: { email: 'ada@example.test' },
  }
  const recording = `${JSON.stringify({ segment_id: 0 })}\n${JSON.stringify(recordedEvents(at))}`
  const header = { event_id: replayId, sent_at: new Date().toISOString(), dsn: options.dsn }
  return [
    JSON.stringify(header),
    JSON.stringify({ type: 'replay_event' }),
    JSON.stringify(event),
    JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
    recording,
  ].join('\n')
}

/** Time for which a `recordedVisit` looks at each page, ms. */
export const visitPageMs = 20_000

/**
 * A visit of several pages: an envelope for each page. On page `n` a heading says `Page n`, a list grows by an
 * item each second, and a failed request is a marker each five seconds.
 */
export function recordedVisit(options: {
  readonly replayId: string
  /** ms since the epoch: its first moment. */
  readonly at: number
  readonly dsn: string
  readonly pages: number
}): readonly string[] {
  const { replayId, at, dsn, pages } = options
  return Array.from({ length: pages }, (_, index) => {
    const startedAt = at + index * visitPageMs
    const event = {
      type: 'replay_event',
      replay_id: replayId,
      event_id: replayId,
      segment_id: index,
      replay_type: 'session',
      replay_start_timestamp: at / 1000,
      timestamp: (startedAt + visitPageMs - 1) / 1000,
      urls: [`https://shop.example/page/${index + 1}`],
      error_ids: [],
      trace_ids: [],
      platform: 'javascript',
      user: { email: 'grace@example.test' },
    }
    const events = pageEvents(startedAt, index + 1)
    const recording = `${JSON.stringify({ segment_id: index })}\n${JSON.stringify(events)}`
    return [
      JSON.stringify({ event_id: replayId, sent_at: new Date().toISOString(), dsn }),
      JSON.stringify({ type: 'replay_event' }),
      JSON.stringify(event),
      JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
      recording,
    ].join('\n')
  })
}

function pageEvents(at: number, page: number): unknown[] {
  const href = `https://shop.example/page/${page}`
  const heading = element(5, 'h1', [text(6, `Page ${page}`)])
  const node = {
    type: 0,
    id: 1,
    childNodes: [
      element(2, 'html', [element(3, 'head'), element(4, 'body', [heading, element(7, 'ul')])]),
    ],
  }
  const incremental = (offset: number, data: object) => ({ type: 3, timestamp: at + offset, data })
  const nothing = { source: 0, adds: [], removes: [], texts: [], attributes: [] }
  const seconds = Array.from({ length: visitPageMs / 1_000 - 1 }, (_, index) => index + 1)
  return [
    { type: 4, timestamp: at, data: { href, width: 800, height: 500 } },
    { type: 2, timestamp: at + 5, data: { node, initialOffset: { top: 0, left: 0 } } },
    ...seconds.flatMap((second) => [
      incremental(second * 1_000, {
        ...nothing,
        adds: [
          { parentId: 7, nextId: null, node: element(100 + 2 * second, 'li') },
          { parentId: 100 + 2 * second, nextId: null, node: text(101 + 2 * second, `${second} s`) },
        ],
      }),
      incremental(second * 1_000 + 300, {
        source: 1,
        positions: [{ x: 9 + second, y: 9, id: 5, timeOffset: 0 }],
      }),
    ]),
    ...[5, 10, 15].map((second) => ({
      type: 5,
      timestamp: at + second * 1_000,
      data: {
        tag: 'performanceSpan',
        payload: {
          op: 'resource.fetch',
          description: `${href}/price`,
          startTimestamp: at / 1_000 + second,
          endTimestamp: at / 1_000 + second + 0.1,
          data: { method: 'GET', statusCode: 503 },
        },
      },
    })),
  ]
}

function element(id: number, tagName: string, childNodes: unknown[] = []) {
  return { type: 2, id, tagName, attributes: {}, childNodes }
}

function text(id: number, textContent: string) {
  return { type: 3, id, textContent }
}

function recordedEvents(at: number): unknown[] {
  const seconds = (offset: number) => (at + offset) / 1000
  const custom = (offset: number, tag: string, payload: object) => ({
    type: 5,
    timestamp: at + offset,
    data: { tag, payload },
  })
  return [
    {
      type: 4,
      timestamp: at,
      data: { href: 'https://shop.example/cart', width: 800, height: 500 },
    },
    {
      type: 2,
      timestamp: at + 5,
      data: { node: recordedDocument, initialOffset: { top: 0, left: 0 } },
    },
    custom(1_000, 'breadcrumb', {
      timestamp: seconds(1_000),
      category: 'ui.click',
      message: 'body > button#pay',
      data: {
        nodeId: 7,
        node: { id: 7, tagName: 'button', textContent: 'Pay', attributes: { id: 'pay' } },
      },
    }),
    custom(2_000, 'performanceSpan', {
      op: 'resource.fetch',
      description: 'https://shop.example/api/price',
      startTimestamp: seconds(2_000),
      endTimestamp: seconds(2_120),
      data: { method: 'GET', statusCode: 503 },
    }),
    {
      type: 3,
      timestamp: at + 3_000,
      data: {
        source: 0,
        adds: [],
        removes: [],
        attributes: [],
        texts: [{ id: 6, value: 'Paid in full' }],
      },
    },
    custom(3_500, 'breadcrumb', {
      timestamp: seconds(3_500),
      category: 'console',
      level: 'warning',
      data: { arguments: ['price is late'] },
    }),
    {
      type: 3,
      timestamp: at + 30_000,
      data: { source: 1, positions: [{ x: 9, y: 9, id: 5, timeOffset: 0 }] },
    },
  ]
}

const recordedDocument = {
  type: 0,
  id: 1,
  childNodes: [
    {
      type: 2,
      id: 2,
      tagName: 'html',
      attributes: {},
      childNodes: [
        { type: 2, id: 3, tagName: 'head', attributes: {}, childNodes: [] },
        {
          type: 2,
          id: 4,
          tagName: 'body',
          attributes: {},
          childNodes: [
            {
              type: 2,
              id: 5,
              tagName: 'h1',
              attributes: {},
              childNodes: [{ type: 3, id: 6, textContent: 'Your cart' }],
            },
            {
              type: 2,
              id: 7,
              tagName: 'button',
              attributes: { id: 'pay' },
              childNodes: [{ type: 3, id: 8, textContent: 'Pay' }],
            },
          ],
        },
      ],
    },
  ],
}
