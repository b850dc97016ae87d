/**
 * Measures the time of one segment of a replay from its bytes to the stored blob: inflate, find the
 * events, scrub them, count, compress those that changed. CPU time of one process, and the heap
 * that it leaves.
 *
 *     node bench/recordings.ts [seconds]
 */
import { deflateSync } from 'node:zlib'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { processReplayRecording } from '../packages/server/src/process/items/replay/index.ts'
import { defaultScrubbing } from '../packages/server/src/process/steps/scrub/settings.ts'

const seconds = Number(process.argv[2] ?? 5)
const at = 1_795_161_347_000

let ids = 0
const text = (textContent: string): object => ({ type: 3, textContent, id: (ids += 1) })

function element(tagName: string, attributes: object, ...childNodes: object[]): object {
  return { type: 2, tagName, attributes, childNodes, id: (ids += 1) }
}

/** A table of a shop: five elements and three texts a row, with an address when `isPersonal`. */
function row(number: number, isPersonal: boolean): object {
  const who = isPersonal && number % 50 === 0 ? `person${number}@example.com` : `Person ${number}`
  return element(
    'tr',
    { class: 'row', 'data-row': String(number) },
    element('td', { class: 'cell' }, text(`Order ${100_000 + number}`)),
    element('td', { class: 'cell' }, text(who)),
    element(
      'td',
      { class: 'cell' },
      element('a', { href: `https://shop.example.com/orders/${number}?page=2` }, text('Open')),
    ),
  )
}

function segment(rows: number, isPersonal: boolean): Uint8Array {
  const table = Array.from({ length: rows }, (_, number) => row(number, isPersonal))
  const clicks = Array.from({ length: 200 }, (_, number) => ({
    type: 3,
    timestamp: at + number,
    data: { source: 1, positions: [{ x: number, y: number, id: 7, timeOffset: 0 }] },
  }))
  const snapshot = { node: { type: 0, id: 1, childNodes: table } }
  return Buffer.from(JSON.stringify([{ type: 2, timestamp: at, data: snapshot }, ...clicks]))
}

function run(list: Uint8Array): void {
  const packed = deflateSync(list)
  const payload = Buffer.concat([Buffer.from('{"segment_id":0}\n'), packed])
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  let runs = 0
  while (performance.now() - start < seconds * 1000) {
    const item: EnvelopeItem = { header: { type: 'replay_recording' }, payload }
    const { refusal } = processReplayRecording(item, {
      projectId: 1,
      receivedAt: at,
      remoteAddress: null,
      userAgent: null,
      header: { event_id: 'ab'.repeat(16) },
      envelopeHash: 'cd'.repeat(32),
      index: 0,
      siblings: [item],
      clockDriftMs: 0,
      scrubbing: defaultScrubbing,
    })
    if (refusal !== null) throw new Error(refusal.detail)
    runs += 1
  }
  const { user, system } = process.cpuUsage(cpuStart)
  const ms = (user + system) / 1000 / runs
  const megabytes = list.length / 1e6
  const heap = process.memoryUsage().heapUsed / 1e6
  console.log(
    `${megabytes.toFixed(1)} MB: ${ms.toFixed(1)} ms of CPU, ${(ms / megabytes).toFixed(1)} ms per MB, heap ${heap.toFixed(0)} MB`,
  )
}

run(segment(100, false))
for (const isPersonal of [false, true]) {
  console.log(isPersonal ? 'with addresses of persons: compressed again' : 'nothing to remove')
  for (const rows of [100, 2_000, 20_000]) run(segment(rows, isPersonal))
}
