/**
 * Measures the time of one error event from its bytes to the stored row: decode, normalise, scrub,
 * describe, group, write as JSON. It is CPU time of one process (garbage collection included),
 * without I/O, so other load on the machine matters little.
 *
 *     node bench/process.ts [seconds]
 */
import { processDelivery } from '../packages/server/src/process/worker/delivery.ts'
import { processError } from '../packages/server/src/process/items/error/index.ts'
import { defaultScrubbing } from '../packages/server/src/process/steps/scrub/settings.ts'
import type { Delivery } from '../packages/server/src/storage/queue/port.ts'

const seconds = Number(process.argv[2] ?? 5)
const budgetMicroseconds = 250

function makeFrames(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    filename: `https://shop.example.com/_next/static/chunks/app-${index % 4}f3c9a1e.js`,
    function: index % 3 === 0 ? `Object.handle${index}` : `render${index}`,
    in_app: true,
    lineno: 1,
    colno: 10_000 + index * 311,
  }))
}

/** An error of a shop in production: two exceptions, 30 frames, 30 breadcrumbs, about 9 KB. */
function makeEvent(number: number): unknown {
  return {
    platform: 'javascript',
    timestamp: 1795161347.318 + number / 1000,
    level: 'error',
    environment: 'production',
    release: 'shop@4.12.0',
    transaction: '/checkout/:step',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'Failed to fetch (api.example.com)',
          stacktrace: { frames: makeFrames(8) },
        },
        {
          type: 'CheckoutError',
          value: `Payment ${number} could not be completed`,
          mechanism: { type: 'auto.browser.global_handlers.onerror', handled: false },
          stacktrace: { frames: makeFrames(22) },
        },
      ],
    },
    breadcrumbs: Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? {
            timestamp: 1795161300 + index,
            category: 'fetch',
            type: 'http',
            data: { method: 'GET', url: `/api/cart/${index}?page=2`, status_code: 200 },
          }
        : {
            timestamp: 1795161300 + index,
            category: 'ui.click',
            message: 'main > div.cart > button#pay.primary[type="submit"]',
          },
    ),
    request: {
      url: 'https://shop.example.com/checkout/payment?step=3',
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
        Referer: 'https://shop.example.com/cart',
      },
    },
    user: { id: String(number % 1000), email: `person${number % 1000}@example.com` },
    tags: { feature: 'checkout', plan: 'pro', locale: 'de-DE' },
    contexts: {
      trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      state: { state: { type: 'redux', value: { cart: { items: 3, total: 99.5 } } } },
    },
    extra: { cartId: `c-${number}`, attempt: 2 },
    sdk: {
      name: 'sentry.javascript.nextjs',
      version: '10.40.0',
      integrations: ['Breadcrumbs', 'GlobalHandlers', 'LinkedErrors', 'Dedupe', 'HttpContext'],
    },
  }
}

function makeDelivery(number: number): Delivery {
  const id = number.toString(16).padStart(32, '1')
  const head = { event_id: id, sent_at: '2026-11-20T07:55:47.326Z' }
  const lines = [head, { type: 'event' }, makeEvent(number)].map((line) => JSON.stringify(line))
  return {
    receivedAt: 1795161347400,
    projectId: 1,
    keyId: 'a'.repeat(32),
    remoteAddress: '198.51.100.7',
    userAgent: null,
    bytes: Buffer.from(lines.join('\n')),
  }
}

const deliveries = Array.from({ length: 1000 }, (_, number) => makeDelivery(number))
const meanBytes = deliveries.reduce((sum, { bytes }) => sum + bytes.length, 0) / deliveries.length

function run(forMs: number): { readonly events: number; readonly cpuMicroseconds: number } {
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  let events = 0
  let ms = 0
  while (ms < forMs) {
    for (const delivery of deliveries) {
      const [item] = processDelivery(delivery, defaultScrubbing, processError)
      if (item?.refusal !== null) throw new Error(item?.refusal.detail)
    }
    events += deliveries.length
    ms = performance.now() - start
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return { events, cpuMicroseconds: user + system }
}

run(1000)
const { events, cpuMicroseconds } = run(seconds * 1000)
const microseconds = cpuMicroseconds / events
console.log(`${Math.round(meanBytes)} bytes per envelope`)
console.log(`${microseconds.toFixed(1)} µs of CPU per event (budget ${budgetMicroseconds} µs)`)
console.log(`${Math.round(1e6 / microseconds)} events/s on one core`)
