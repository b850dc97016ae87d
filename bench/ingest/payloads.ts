/**
 * Bodies like those that browsers and servers send: error events of 6 to 10 KB with real stack
 * traces, span containers of 20 to 60 spans, replay segments. Deterministic for one seed, so that
 * two servers of one run receive the same bytes; every body has ids of its own.
 */
import { seededRandom } from '@afterimage/server/testing/seeded-random'
import { deflateSync } from 'node:zlib'

export interface Mix {
  readonly error: number
  readonly spans: number
  readonly replay: number
}

/** Every id that must be unique begins with this: the load writes a number of its own over it. */
export const ID_MARK = 'a5a5a5a5'

type Random = () => number

export function createPayloads(seed: number): { next(mix: Mix): Buffer } {
  const random = seededRandom(seed)
  let sequence = 0
  return {
    next: (mix) => {
      sequence += 1
      const draw = random() * (mix.error + mix.spans + mix.replay)
      if (draw < mix.error) return errorEnvelope(random)
      return draw < mix.error + mix.spans ? spanEnvelope(random) : replayEnvelope(random, sequence)
    },
  }
}

function hex(random: Random, length: number): string {
  let text = ''
  while (text.length < length)
    text += Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0')
  return text.slice(0, length)
}

function uniqueId(random: Random): string {
  return ID_MARK + hex(random, 24)
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Few issues get most events, as in life. */
function zipf(random: Random, size: number): number {
  return Math.min(size - 1, Math.floor(size ** random()) - 1)
}

const MODULES = [
  'checkout',
  'basket',
  'product',
  'search',
  'account',
  'order',
  'delivery',
  'voucher',
  'review',
  'menu',
]
const VERBS = [
  'render',
  'load',
  'apply',
  'format',
  'submit',
  'refresh',
  'merge',
  'select',
  'validate',
  'track',
]
const TYPES = [
  'TypeError',
  'ReferenceError',
  'RangeError',
  'NetworkError',
  'SyntaxError',
  'CheckoutError',
  'ChunkError',
]
const RELEASES = ['2.13.2', '2.13.3', '2.13.4', '2.14.0']
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
]

function envelope(header: object, items: readonly (readonly [object, Buffer | string])[]): Buffer {
  const parts: Buffer[] = [Buffer.from(JSON.stringify(header))]
  for (const [itemHeader, payload] of items) {
    parts.push(Buffer.from(`\n${JSON.stringify(itemHeader)}\n`), Buffer.from(payload))
  }
  return Buffer.concat(parts)
}

const sdk = { name: 'sentry.javascript.browser', version: '10.63.0' }

function errorEnvelope(random: Random): Buffer {
  const issue = zipf(random, 500)
  const kind = seededRandom(issue)
  const module = MODULES[issue % MODULES.length] as string
  const id = uniqueId(random)
  const now = Date.now()
  const frames = Array.from({ length: 14 + (issue % 8) }, (_, depth) => frame(kind, module, depth))
  const event = {
    event_id: id,
    platform: 'javascript',
    timestamp: now / 1000,
    level: 'error',
    environment: 'production',
    release: pick(random, RELEASES),
    sdk: {
      ...sdk,
      integrations: [
        'InboundFilters',
        'Breadcrumbs',
        'GlobalHandlers',
        'LinkedErrors',
        'Dedupe',
        'HttpContext',
      ],
    },
    exception: {
      values: [
        {
          type: TYPES[issue % TYPES.length],
          value: `Cannot ${VERBS[issue % VERBS.length]} the ${module} of ${issue} (reading 'amount')`,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames },
        },
      ],
    },
    request: {
      url: `https://shop.example/${module}/${Math.floor(random() * 1000)}?step=2`,
      headers: { 'User-Agent': pick(random, AGENTS), Referer: 'https://shop.example/' },
    },
    user: { id: String(Math.floor(random() * 20_000)) },
    tags: {
      area: module,
      tenant: `t-${Math.floor(random() * 40)}`,
      flag: pick(random, ['on', 'off']),
      region: pick(random, ['eu', 'us']),
    },
    contexts: {
      trace: { trace_id: uniqueId(random), span_id: hex(random, 16) },
      cart: { items: 3, total: 59.9 },
    },
    breadcrumbs: Array.from({ length: 18 }, (_, index) =>
      breadcrumb(random, now - (18 - index) * 700),
    ),
  }
  const header = { event_id: id, sent_at: new Date(now).toISOString(), sdk }
  return envelope(header, [[{ type: 'event' }, JSON.stringify(event)]])
}

function frame(random: Random, module: string, depth: number): object {
  const isVendor = depth % 3 !== 0
  const path = isVendor
    ? `node_modules/react-dom/cjs/part-${depth}.js`
    : `src/${module}/${VERBS[depth % VERBS.length]}.tsx`
  return {
    filename: `https://shop.example/_next/static/chunks/${path}`,
    abs_path: `https://shop.example/_next/static/chunks/${path}`,
    function: `${VERBS[Math.floor(random() * VERBS.length)]}${module}${depth}`,
    lineno: 20 + Math.floor(random() * 900),
    colno: 1 + Math.floor(random() * 80),
    in_app: !isVendor,
    ...(isVendor
      ? {}
      : {
          pre_context: [
            'function total(lines) {',
            '  const sum = lines.reduce((a, b) => a + b.amount, 0)',
          ],
          context_line: `  return format(order.${module}.amount)`,
          post_context: ['}', ''],
        }),
  }
}

function breadcrumb(random: Random, at: number): object {
  const kind = random()
  if (kind < 0.4) {
    return {
      timestamp: at / 1000,
      category: 'ui.click',
      message: `body > main > form.checkout > button.${pick(random, VERBS)}`,
    }
  }
  if (kind < 0.8) {
    return {
      timestamp: at / 1000,
      type: 'http',
      category: 'fetch',
      data: {
        method: 'GET',
        url: `/api/${pick(random, MODULES)}/${Math.floor(random() * 900)}`,
        status_code: 200,
      },
    }
  }
  return {
    timestamp: at / 1000,
    category: 'console',
    level: 'warning',
    message: `slow response for ${pick(random, MODULES)}`,
  }
}

function spanEnvelope(random: Random): Buffer {
  const traceId = uniqueId(random)
  const segmentId = hex(random, 16)
  const start = Date.now() / 1000 - 3
  const page = `/${pick(random, MODULES)}`
  const items = Array.from({ length: 20 + Math.floor(random() * 40) }, (_, index) => ({
    trace_id: traceId,
    span_id: index === 0 ? segmentId : hex(random, 16),
    ...(index === 0 ? {} : { parent_span_id: segmentId }),
    name: index === 0 ? 'Pageload' : `GET /api/${pick(random, MODULES)}`,
    status: 'ok',
    is_segment: index === 0,
    start_timestamp: start + index * 0.02,
    end_timestamp: start + index * 0.02 + random(),
    attributes: {
      'sentry.op': text(index === 0 ? 'pageload' : 'http.client'),
      'sentry.segment.id': text(segmentId),
      'sentry.segment.name': text('Pageload'),
      'sentry.release': text('2.14.0'),
      'sentry.environment': text('production'),
      'url.path': text(page),
      'http.request.method': text('GET'),
    },
  }))
  const header = { sent_at: new Date().toISOString(), sdk }
  const itemHeader = {
    type: 'span',
    item_count: items.length,
    content_type: 'application/vnd.sentry.items.span.v2+json',
  }
  return envelope(header, [[itemHeader, JSON.stringify({ version: 2, items })]])
}

function text(value: string): object {
  return { value, type: 'string' }
}

function replayEnvelope(random: Random, sequence: number): Buffer {
  const id = uniqueId(random)
  const at = Date.now()
  const event = {
    type: 'replay_event',
    replay_id: id,
    event_id: id,
    segment_id: 0,
    replay_type: 'session',
    replay_start_timestamp: at / 1000 - 5,
    timestamp: at / 1000,
    urls: [`https://shop.example/${pick(random, MODULES)}`],
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    environment: 'production',
  }
  const events = [
    { type: 4, timestamp: at - 5000, data: { href: event.urls[0], width: 1280, height: 800 } },
    ...Array.from({ length: 120 }, (_, index) => ({
      type: 3,
      timestamp: at - 5000 + index * 40,
      data: {
        source: 1,
        positions: [
          {
            x: Math.floor(random() * 1280),
            y: Math.floor(random() * 800),
            id: sequence % 900,
            timeOffset: 0,
          },
        ],
      },
    })),
  ]
  const recording = Buffer.concat([
    Buffer.from('{"segment_id":0}\n'),
    deflateSync(JSON.stringify(events)),
  ])
  const header = { event_id: id, sent_at: new Date(at).toISOString(), sdk }
  return envelope(header, [
    [{ type: 'replay_event' }, JSON.stringify(event)],
    [{ type: 'replay_recording', length: recording.length }, recording],
  ])
}
