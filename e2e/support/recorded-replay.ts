/** A small recording, written by hand: a page with a heading that changes, a click, a request, a vital. */
export function recordedReplay(options: {
  readonly replayId: string
  /** ms since the epoch: its first moment. */
  readonly at: number
  readonly dsn: string
}): string {
  const { replayId, at, dsn } = options
  return segmentEnvelope({
    replayId,
    dsn,
    replayAt: at,
    segmentId: 0,
    endAt: at + 30_000,
    url: 'https://shop.example/cart',
    user: { email: 'ada@example.test' },
    events: recordedEvents(at),
  })
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
    return segmentEnvelope({
      replayId,
      dsn,
      replayAt: at,
      segmentId: index,
      endAt: startedAt + visitPageMs - 1,
      url: `https://shop.example/page/${index + 1}`,
      user: { email: 'grace@example.test' },
      events: pageEvents(startedAt, index + 1),
    })
  })
}

/** One segment of a recording as an envelope: what the replay is, and its events. */
export function segmentEnvelope(of: {
  readonly replayId: string
  readonly dsn: string
  /** ms since the epoch: the replay's first moment. */
  readonly replayAt: number
  readonly segmentId: number
  /** ms since the epoch: the segment's last moment. */
  readonly endAt: number
  readonly url: string
  readonly user?: { readonly email: string }
  readonly events: readonly unknown[]
}): string {
  const { replayId, dsn, replayAt, segmentId, endAt, url, user, events } = of
  const event = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: segmentId,
    replay_type: 'session',
    replay_start_timestamp: replayAt / 1000,
    timestamp: endAt / 1000,
    urls: [url],
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    user,
  }
  const recording = `${JSON.stringify({ segment_id: segmentId })}\n${JSON.stringify(events)}`
  return [
    JSON.stringify({ event_id: replayId, sent_at: new Date().toISOString(), dsn }),
    JSON.stringify({ type: 'replay_event' }),
    JSON.stringify(event),
    JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
    recording,
  ].join('\n')
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

/** An element of a recorded document, without attributes. */
export function element(id: number, tagName: string, childNodes: unknown[] = []) {
  return { type: 2, id, tagName, attributes: {}, childNodes }
}

/** A text of a recorded document. */
export function text(id: number, textContent: string) {
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
