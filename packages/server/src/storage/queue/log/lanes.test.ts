import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Delivery } from '../port.ts'
import { BlockScan } from './block-scan.ts'
import type { TakenState } from './cursor.ts'
import { Lanes } from './lanes.ts'
import { defaultLogQueueLimits, type LogQueueLimits } from './limits.ts'
import { segmentHeaderBytes, segmentPath } from './segment.ts'
import { WaitingLane } from './waiting-lane.ts'
import {
  blockOf,
  damaged,
  deliveryOf,
  openFilesIn,
  recordsOf,
  writeSegment,
} from './written-log.fixture.ts'

let folder: string
let opened: Lanes[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanes-'))
  opened = []
})
afterEach(async () => {
  vi.restoreAllMocks()
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

test('a take ends with exactly its bytes', async () => {
  writeSegment(folder, 1, [of(7, 1), of(7, 1, 1)])
  const takeBytesMax = recordsOf(of(7, 1)).length
  expect(await take(lanesOf({ takeBytesMax }))).toEqual(['7.0'])
  expect(await take(lanesOf({ takeBytesMax: takeBytesMax + 1 }))).toEqual(['7.0', '7.1'])
})

test('a block that breaks before its turn is left out', async () => {
  writeSegment(folder, 1, [of(7, 1)])
  writeSegment(folder, 2, [of(7, 1, 1), of(7, 1, 2)], 1)
  const lanes = lanesOf()
  expect(await take(lanes, 1)).toEqual(['7.0'])
  writeSegment(folder, 2, [damaged(blockOf(of(7, 1, 1)), -1), of(7, 1, 2)], 1)
  expect(await takeAll(lanes)).toEqual(['7.2'])
})

test('a lane of which nothing is left gives nothing, and no other waits for it', async () => {
  writeSegment(folder, 1, [damaged(blockOf(of(7, 3)), -1), of(8, 1)])
  const end = segmentHeaderBytes + blockOf(of(7, 3)).length + blockOf(of(8, 1)).length
  const gone = { number: 7, ...start.front, index: 0, waiting: 3, bytes: 30 }
  const left = { number: 8, ...start.front, index: 0, waiting: 1, bytes: 10 }
  const front = { segment: 1, offset: end }
  const lanes = lanesOf({}, { front, recordsBefore: 4, lanes: [gone, left] })
  expect(await takeAll(lanes)).toEqual(['8.0'])
  expect(lanes.state.lanes).toEqual([])
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

/** Counts the blocks that each scan is asked for, in the order of the scans. */
function countScans(): () => number[] {
  const { mock } = vi.spyOn(BlockScan.prototype, 'next')
  return () => {
    const counts = new Map<unknown, number>()
    for (const scan of mock.contexts) counts.set(scan, (counts.get(scan) ?? 0) + 1)
    mock.contexts.length = 0
    return [...counts.values()]
  }
}

/** Counts the places of blocks that lanes are told. */
function countLearned(): () => number {
  const learn = vi.spyOn(WaitingLane.prototype, 'learn')
  return () => {
    const { length } = learn.mock.calls
    learn.mockClear()
    return length
  }
}

/** The front after these blocks, which stand in one segment. */
function stateAfter(blocks: readonly Delivery[][], lanes: TakenState['lanes']): TakenState {
  const bytes = blocks.reduce((sum, one) => sum + blockOf(one).length, 0)
  const front = { segment: 1, offset: segmentHeaderBytes + bytes }
  return { front, recordsBefore: blocks.flat().length, lanes }
}

test('a take scans new blocks up to its bytes, and the next one goes on', async () => {
  const blocks = [0, 1, 2, 3].map((from) => of(7, 1, from))
  writeSegment(folder, 1, blocks)
  const scans = countScans()
  const scanBytesMax = blockOf(blocks[0]!).length
  const lanes = lanesOf({ scanBytesMax })
  expect([await take(lanes), scans()]).toEqual([['7.0'], [1]])
  expect([await take(lanes), scans()]).toEqual([['7.1'], [1]])
  const more = lanesOf({ scanBytesMax: scanBytesMax + 1 })
  expect([await take(more), scans()]).toEqual([['7.0', '7.1'], [2]])
  // The end of the log is looked at as well.
  expect([(await take(lanesOf())).length, scans()]).toEqual([4, [5]])
})

test('what waited at a start is scanned once, in parts, and never again', async () => {
  const blocks = Array.from({ length: 40 }, (_, from) => of(7, 1, from))
  writeSegment(folder, 1, blocks)
  const state = stateAfter(blocks, [
    { number: 7, ...start.front, index: 0, waiting: 40, bytes: 400 },
  ])
  const scans = countScans()
  const lanes = lanesOf({ laneBlocksMin: 2 }, state)
  expect([await take(lanes, 1), scans()]).toEqual([['7.0'], [1, 41]])
  expect(await takeAll(lanes)).toHaveLength(39)
  // The front alone was looked at.
  expect(scans()).toHaveLength(1)
  const bytes = blockOf(blocks[0]!).length
  const inParts = lanesOf({ laneBlocksMin: 2, scanBytesMax: 10 * bytes - 40 }, state)
  expect([await take(inParts, 1), scans()]).toEqual([['7.0'], [1, 10]])
  expect([await take(inParts, 1), scans()]).toEqual([['7.1'], [1, 10]])
})

test('a lane that has used its blocks looks for so many, not for all', async () => {
  const blocks = Array.from({ length: 20 }, (_, from) => of(7, 1, from))
  writeSegment(folder, 1, blocks)
  const scans = countScans()
  const learned = countLearned()
  const lanes = lanesOf({ blocksKnownMax: 1, laneBlocksMin: 4 })
  expect([await take(lanes, 3), scans(), learned()]).toEqual([['7.0', '7.1', '7.2'], [21], 4])
  expect([await take(lanes, 1), scans(), learned()]).toEqual([['7.3'], [1, 4], 4])
  expect([await take(lanes, 1), scans(), learned()]).toEqual([['7.4'], [1], 0])
  expect(openFilesIn(folder).length).toBeLessThanOrEqual(2)
})

test('a lane that looks for its next block reads on until it has one, then up to its bytes', async () => {
  const blocks = [of(7, 1), of(8, 1), of(8, 1, 1), of(7, 1, 1), of(8, 1, 2), of(7, 1, 2)]
  writeSegment(folder, 1, blocks)
  const seven = { number: 7, ...start.front, index: 0, waiting: 3, bytes: 30 }
  const state = stateAfter(blocks, [seven])
  const scans = countScans()
  const bytes = blockOf(blocks[0]!).length
  const little = lanesOf({ scanBytesMax: 1 }, state)
  expect([await take(little, 1), scans()]).toEqual([['7.0'], [1, 1, 3]])
  const three = lanesOf({ scanBytesMax: 3 * bytes }, state)
  await take(three, 1)
  expect(scans()).toEqual([1, 3, 3])
  const lanes = lanesOf({ scanBytesMax: 4 * bytes }, state)
  await take(lanes, 1)
  expect(scans()).toEqual([1, 4])
})

test('the places of a bounded number of blocks are known, and a few of each lane', async () => {
  const blocks = Array.from({ length: 10 }, (_, from) => of(7, 1, from))
  writeSegment(folder, 1, blocks)
  const learned = countLearned()
  const lanes = lanesOf({ blocksKnownMax: 6, laneBlocksMin: 1 })
  await take(lanes, 1)
  expect(learned()).toBe(6)
  appendFileSync(
    segmentPath(folder, 1),
    Buffer.concat([0, 1, 2].map((from) => blockOf(of(8, 1, from)))),
  )
  await take(lanes, 0)
  // Five are known: there is room for one, and one more is what each lane may know.
  expect(learned()).toBe(1)
  appendFileSync(
    segmentPath(folder, 1),
    Buffer.concat([0, 1].map((from) => blockOf(of(9, 1, from)))),
  )
  await take(lanes, 0)
  expect(learned()).toBe(1)
  const all = await takeAll(lanes)
  expect(all).toHaveLength(14)
})

test.runIf(existsSync('/proc/self/fd'))(
  'files are open only while something in them waits',
  async () => {
    const open = () => openFilesIn(folder).map((path) => Number(basename(path, '.log')))
    writeSegment(folder, 1, [of(7, 1)])
    writeSegment(folder, 2, [of(7, 2, 1)], 1)
    writeSegment(folder, 3, [of(7, 1, 3)], 3)
    const lanes = lanesOf()
    // The end of the log is always open.
    await take(lanes, 0)
    expect(open()).toEqual([3])
    await take(lanes, 1)
    expect(open()).toEqual([3])
    await take(lanes, 1)
    expect(open()).toEqual([2, 3])
    await take(lanes, 1)
    expect(open()).toEqual([3])
    await take(lanes, 1)
    expect(open()).toEqual([3])
    await lanes.close()
    expect(open()).toEqual([])
  },
)

test('a reader that is closed in the middle of its backlog leaves no file open', async () => {
  writeLong()
  const first = lanesOf({ blocksKnownMax: 1, laneBlocksMin: 1 })
  await take(first, 20)
  const next = lanesOf({ scanBytesMax: 1, laneBlocksMin: 1 }, first.state)
  await take(next, 3)
  await first.close()
  await next.close()
  expect(openFilesIn(folder)).toEqual([])
})
