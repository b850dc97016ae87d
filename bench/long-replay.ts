/**
 * `node bench/long-replay.ts` measures the time to the first picture of an hour-long replay, opened
 * at its beginning and late in it, in turns. Its 45 segments have a page of 4,500 elements each, on
 * which 400 texts change. `--rounds 5` sets how often both are opened.
 */
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchBrowser, signIn } from '../e2e/support/browser.ts'
import { startProduct, type Product } from '../e2e/support/product.ts'
import { element, segmentEnvelope, text } from '../e2e/support/recorded-replay.ts'
import { send } from '../e2e/support/shares.ts'
import { until } from '../e2e/support/until.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })

const segmentCount = 45
const segmentMs = 80_000
const rowCount = 1_500
const changesPerSegment = 400
const replayId = 'e'.repeat(32)
/** Seconds into the recording. */
const places = [0, 3_300] as const

await using product = await startProduct()
const browser = await launchBrowser()
try {
  await sendReplay(product)
  await measure(browser)
} finally {
  await browser.close()
}

async function measure(on: Browser): Promise<void> {
  const context = await on.newContext({ viewport: { width: 1440, height: 900 } })
  const first = await context.newPage()
  await signIn(first, product.url)
  // Once before: the server has then loaded the page's code.
  await firstPicture(0)
  const times = new Map<number, number[]>(places.map((place) => [place, []]))
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const place of places) {
      const { ms, parts } = await firstPicture(place)
      times.get(place)?.push(ms)
      console.log(`?t=${place}: ${Math.round(ms)} ms, ${parts} requests for parts until then`)
    }
  }
  const [atBeginning = 0, late = 0] = places.map((place) => median(times.get(place) ?? []))
  console.log(
    `medians: ${Math.round(atBeginning)} and ${Math.round(late)} ms, ratio ${(late / atBeginning).toFixed(2)}`,
  )

  /** Opens the replay in a page of its own, and waits for the recorded page of that moment. */
  async function firstPicture(place: number): Promise<{ ms: number; parts: number }> {
    const page = await context.newPage()
    let parts = 0
    page.on('request', (request) => {
      if (request.url().includes('/recording-segments/')) parts += 1
    })
    const number = Math.floor((place * 1000) / segmentMs) + 1
    const startedAt = performance.now()
    await page.goto(`${product.url}/replays/${replayId}?t=${place}`, { waitUntil: 'commit' })
    const recorded = page.frameLocator('iframe').frameLocator('iframe')
    await recorded.getByRole('heading', { name: `Page ${number}`, exact: true }).waitFor()
    const ms = performance.now() - startedAt
    const seen = parts
    await page.close()
    return { ms, parts: seen }
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

async function sendReplay(to: Product): Promise<void> {
  const { dsn } = await to.createProject('long')
  const at = Date.now() - (segmentCount + 1) * segmentMs
  for (let index = 0; index < segmentCount; index += 1) {
    const startedAt = at + index * segmentMs
    const envelope = segmentEnvelope({
      replayId,
      dsn,
      replayAt: at,
      segmentId: index,
      endAt: startedAt + segmentMs - 1,
      url: `https://shop.example/page/${index + 1}`,
      events: segmentEvents(startedAt, index + 1),
    })
    await send(to, dsn, envelope)
  }
  await until('all segments are there', async () => {
    const { data } = await to.api<{ data: { count_segments: number } }>(
      `organizations/main/replays/${replayId}/`,
    )
    return data.count_segments === segmentCount
  })
}

/** A page with a table, whose texts change in turn until the segment ends. */
function segmentEvents(at: number, page: number): unknown[] {
  const href = `https://shop.example/page/${page}`
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const id = 100 + 5 * row
    return element(id, 'tr', [
      element(id + 1, 'td', [text(id + 2, `row ${row} of page ${page}`)]),
      element(id + 3, 'td', [text(id + 4, '0')]),
    ])
  })
  const heading = element(5, 'h1', [text(6, `Page ${page}`)])
  const body = element(4, 'body', [heading, element(7, 'table', [element(8, 'tbody', rows)])])
  const node = {
    type: 0,
    id: 1,
    childNodes: [element(2, 'html', [element(3, 'head'), body])],
  }
  const changes = Array.from({ length: changesPerSegment }, (_, index) => ({
    type: 3,
    timestamp: at + 100 + Math.floor((index * (segmentMs - 200)) / changesPerSegment),
    data: {
      source: 0,
      adds: [],
      removes: [],
      attributes: [],
      texts: [{ id: 104 + 5 * (index % rowCount), value: `${index}` }],
    },
  }))
  return [
    { type: 4, timestamp: at, data: { href, width: 1280, height: 800 } },
    { type: 2, timestamp: at + 5, data: { node, initialOffset: { top: 0, left: 0 } } },
    ...changes,
  ]
}
