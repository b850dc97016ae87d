import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Delivery } from '../port.ts'
import type { TakenState } from './cursor.ts'
import { Lanes } from './lanes.ts'
import { defaultLogQueueLimits, type LogQueueLimits } from './limits.ts'
import { segmentHeaderBytes, segmentPath } from './segment.ts'
import { blockOf, damaged, deliveryOf, writeSegment } from './written-log.fixture.ts'

let folder: string
let opened: Lanes[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanes-'))
  opened = []
})
afterEach(async () => {
  for (const lanes of opened) await lanes.close()
  rmSync(folder, { recursive: true })
})

const start: TakenState = {
  front: { segment: 1, offset: segmentHeaderBytes },
  recordsBefore: 0,
  lanes: [],
}

function lanesOf(limits: Partial<LogQueueLimits> = {}, state = start): Lanes {
  const lanes = new Lanes(folder, state, { ...defaultLogQueueLimits, ...limits })
  opened.push(lanes)
  return lanes
}

/** So many deliveries of a project, named `7.0`, `7.1` and so on. */
function of(projectId: number, count: number, from = 0): Delivery[] {
  return Array.from({ length: count }, (_, index) =>
    deliveryOf(projectId, `${projectId}.${from + index}`),
  )
}

/** The names of what one take gives. */
async function take(lanes: Lanes, max = 100): Promise<string[]> {
  const taken = await lanes.take(max)
  return taken.map(({ delivery }) => Buffer.from(delivery.bytes).toString())
}

async function takeAll(lanes: Lanes, max = 100): Promise<string[]> {
  const all: string[] = []
  for (let some = await take(lanes, max); some.length > 0; some = await take(lanes, max)) {
    all.push(...some)
  }
  return all
}

function names(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ bytes }) => Buffer.from(bytes).toString())
}

test('nothing is taken from an empty log', async () => {
  expect(await take(lanesOf())).toEqual([])
  writeSegment(folder, 1, [])
  const lanes = lanesOf()
  expect(await take(lanes)).toEqual([])
  expect(lanes.state).toEqual(start)
})

test('projects take turns of eight, each from its oldest on', async () => {
  const [seven, eight] = [of(7, 18), of(8, 9)]
  writeSegment(folder, 1, [seven, eight.slice(0, 1), eight.slice(1)])
  expect(await takeAll(lanesOf())).toEqual(
    names([
      ...seven.slice(0, 8),
      ...eight.slice(0, 1),
      ...seven.slice(8, 16),
      ...eight.slice(1),
      ...seven.slice(16),
    ]),
  )
})

test('a turn ends with its bytes, and with what is asked for', async () => {
  const deliveries = [...of(7, 3), ...of(8, 1)]
  writeSegment(folder, 1, [deliveries])
  const order = ['7.0', '8.0', '7.1', '7.2']
  expect(await take(lanesOf({ turnBytesMax: 1 }))).toEqual(order)
  const lanes = lanesOf()
  expect([await take(lanes, 2), await take(lanes, 2)]).toEqual([
    ['7.0', '7.1'],
    ['8.0', '7.2'],
  ])
})

test('a take ends with the bytes of its blocks, of which each counts once', async () => {
  writeSegment(folder, 1, [[...of(7, 1), ...of(8, 1), ...of(9, 1)], of(10, 1), of(11, 1)])
  const lanes = lanesOf({ takeBytesMax: 100 })
  expect(await take(lanes)).toEqual(['7.0', '8.0', '9.0', '10.0'])
  expect(await take(lanes)).toEqual(['11.0'])
  const one = lanesOf({ takeBytesMax: 1 })
  expect(await take(one)).toEqual(['7.0'])
})

test('a reader that goes on from a state takes what is left, each once', async () => {
  const deliveries = [of(7, 5), [...of(8, 2), ...of(7, 2, 5)], of(8, 3, 2), of(9, 1)]
  writeSegment(folder, 1, deliveries.slice(0, 2))
  writeSegment(folder, 2, deliveries.slice(2), 9)
  const all = names(deliveries.flat()).sort()
  for (let first = 0; first <= all.length; first += 1) {
    const lanes = lanesOf()
    const taken = first === 0 ? [] : await take(lanes, first)
    const { state } = lanes
    const rest = await takeAll(lanesOf({}, JSON.parse(JSON.stringify(state)) as TakenState), 3)
    expect([...taken, ...rest].sort()).toEqual(all)
    expect(state.lanes.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(
      first === 0 ? 0 : all.length - first,
    )
  }
})

test('a state knows how many came before its front, and how many bytes wait', async () => {
  const blocks = [blockOf([...of(7, 2), ...of(8, 2)]), blockOf(of(7, 1, 2))]
  writeSegment(folder, 1, blocks, 40)
  const lanes = lanesOf()
  await take(lanes, 1)
  const { front, recordsBefore, lanes: waiting } = lanes.state
  expect(recordsBefore).toBe(45)
  expect(front.offset).toBe(segmentHeaderBytes + blocks[0]!.length + blocks[1]!.length)
  const share = blocks[0]!.length / 4
  const place = { segment: 1, offset: segmentHeaderBytes }
  const bytes = share + blocks[1]!.length
  expect(waiting).toEqual([
    { number: 8, ...place, index: 0, waiting: 2, bytes: expect.closeTo(2 * share, 5) },
    { number: 7, ...place, index: 1, waiting: 2, bytes: expect.closeTo(bytes, 5) },
  ])
})

test('deliveries that are written later are taken in their turn', async () => {
  writeSegment(folder, 1, [of(7, 10)])
  const lanes = lanesOf()
  expect(await take(lanes, 4)).toEqual(['7.0', '7.1', '7.2', '7.3'])
  appendFileSync(segmentPath(folder, 1), blockOf([...of(8, 1), ...of(7, 1, 10)]))
  expect(await take(lanes, 7)).toEqual(['7.4', '7.5', '7.6', '7.7', '7.8', '7.9', '8.0'])
  writeSegment(folder, 2, [of(9, 1)], 12)
  expect(await takeAll(lanes)).toEqual(['7.10', '9.0'])
})

test('a broken block takes nothing else with it', async () => {
  const broken = damaged(blockOf(of(7, 3)), -1)
  writeSegment(folder, 1, [of(7, 1), broken, [...of(8, 1), ...of(7, 1, 1)]])
  writeSegment(folder, 2, [])
  expect(await takeAll(lanesOf())).toEqual(['7.0', '8.0', '7.1'])
})

test('a block that breaks after it was scanned is left out', async () => {
  const [, second] = writeSegment(folder, 1, [of(7, 1), of(7, 1, 1), of(7, 1, 2)])
  const lanes = lanesOf()
  expect(await take(lanes, 1)).toEqual(['7.0'])
  writeSegment(folder, 1, [of(7, 1), damaged(blockOf(of(7, 1, 1)), -1), of(7, 1, 2)])
  await lanes.close()
  const next = lanesOf({}, lanes.state)
  expect(second?.offset).toBe(lanes.state.lanes[0]?.offset)
  expect(await takeAll(next)).toEqual(['7.2'])
})

/** A log of many blocks, in which two projects have a backlog and the others a delivery here and there. */
function writeLong(): string[] {
  const counts = new Map<number, number>()
  const blocks = Array.from({ length: 120 }, (_, n) =>
    [7, n % 2 === 0 ? 8 : 7, ...(n % 30 === 29 ? [20 + n] : [])].map((projectId) => {
      const count = counts.get(projectId) ?? 0
      counts.set(projectId, count + 1)
      return deliveryOf(projectId, `${projectId}.${count}`)
    }),
  )
  for (const [index, from] of [0, 40, 80].entries()) {
    const before = blocks.slice(0, from).flat().length
    writeSegment(folder, index + 1, blocks.slice(from, from + 40), before)
  }
  return names(blocks.flat())
}

/** Each project's deliveries in the order in which they came. */
function byProject(all: readonly string[]): object {
  return Object.groupBy(all, (name) => name.split('.')[0]!)
}

test.each<Partial<LogQueueLimits>>([
  {},
  { blocksKnownMax: 1, laneBlocksMin: 1 },
  { blocksKnownMax: 8, laneBlocksMin: 2 },
  { scanBytesMax: 1 },
  { scanBytesMax: 1, blocksKnownMax: 4, laneBlocksMin: 3 },
  { decodedBytesMax: 1, openSegmentsMax: 1, takeBytesMax: 300, turnBytesMax: 6 },
])('within %o everything is taken once, each project in its order', async (limits) => {
  const all = writeLong()
  for (const max of [1, 5, 100]) {
    const taken = await takeAll(lanesOf(limits), max)
    expect(byProject(taken)).toEqual(byProject(all))
  }
  // And again after a restart at each take.
  let state = start
  const taken: string[] = []
  for (;;) {
    const lanes = lanesOf(limits, state)
    const some = await take(lanes, 7)
    if (some.length === 0) break
    taken.push(...some)
    state = lanes.state
    await lanes.close()
  }
  expect(byProject(taken)).toEqual(byProject(all))
})

test('a project is reached within a few takes, however long the backlog of another is', async () => {
  writeLong()
  const lanes = lanesOf()
  expect(await take(lanes, 40)).toEqual(expect.arrayContaining(['49.0', '79.0', '109.0', '139.0']))
})

test('a reader that may scan little at a take reaches the others all the same', async () => {
  writeLong()
  const lanes = lanesOf({ scanBytesMax: 1000 })
  const some: string[] = []
  for (let n = 0; n < 20; n += 1) some.push(...(await take(lanes, 4)))
  expect(some).toEqual(expect.arrayContaining(['49.0', '79.0', '109.0', '139.0']))
})

test('segments that nothing waits in are closed, so that their space comes back', async () => {
  writeSegment(folder, 1, [of(7, 1)])
  writeSegment(folder, 2, [of(7, 2, 1)], 1)
  const lanes = lanesOf()
  expect(await takeAll(lanes)).toEqual(['7.0', '7.1', '7.2'])
  expect(lanes.state).toMatchObject({ front: { segment: 2 }, recordsBefore: 3, lanes: [] })
})
