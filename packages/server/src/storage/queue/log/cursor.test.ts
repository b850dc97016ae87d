import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comparePositions, CursorFile, loadCursor, positionId, startOf } from './cursor.ts'
import type { CursorState } from './cursor.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cursor-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const at = (segment: number, offset: number, index: number) => ({ segment, offset, index })

const lane = { number: 7, waiting: 4, bytes: 80 }
const state: CursorState = {
  front: { segment: 3, offset: 20 },
  recordsBefore: 12,
  lanes: [{ ...at(2, 60, 1), ...lane }],
  open: [{ ...at(2, 40, 5), attempts: 1, bytes: 99, receivedAt: 1_800_000_000_000 }],
}

const settings = { saves: 5, syncMs: 60_000 }

test('a cursor is loaded as it was saved, and nothing else stays in its folder', async () => {
  const file = new CursorFile(folder, () => state, settings)
  await file.save()
  expect(await loadCursor(folder)).toEqual({ ...state, saves: 6 })
  expect(readdirSync(folder)).toEqual(['cursor.synced.json'])
  await file.save()
  expect(await loadCursor(folder)).toEqual({ ...state, saves: 7 })
  expect(readdirSync(folder)).toEqual(['cursor.json', 'cursor.synced.json'])
})

test.each(['', '{"front":[3', JSON.stringify({ front: [1, 1, 1, 1], lanes: [], open: [] })])(
  'where a power cut left "%s" of the newest, the last that was synced counts',
  async (left) => {
    await new CursorFile(folder, () => state, settings).save()
    writeFileSync(join(folder, 'cursor.json'), left)
    expect(await loadCursor(folder)).toEqual({ ...state, saves: 6 })
  },
)

test.each(['cursor.json', 'cursor.synced.json'])('%s alone is enough', async (name) => {
  await new CursorFile(folder, () => state, settings).save()
  renameSync(join(folder, 'cursor.synced.json'), join(folder, name))
  expect(await loadCursor(folder)).toEqual({ ...state, saves: 6 })
})

test('a cursor is synced again after its interval', async () => {
  const file = new CursorFile(folder, () => state, { saves: 0, syncMs: 0 })
  await file.save()
  await file.save()
  expect(readdirSync(folder)).toEqual(['cursor.synced.json'])
  expect((await loadCursor(folder))?.saves).toBe(2)
})

test('a lane in a segment that was consumed since begins in the first one that is left', () => {
  expect(startOf(state, 2)).toEqual(state)
  const first = { segment: 3, offset: 32 }
  expect(startOf(state, 3)).toEqual({ ...state, lanes: [{ ...first, index: 0, ...lane }] })
  const start = { front: { segment: 4, offset: 32 }, recordsBefore: 0, lanes: [], open: [] }
  expect(startOf(state, 4)).toEqual(start)
  expect(startOf(null, 4)).toEqual(start)
})

test('changes made during a write share the next one', async () => {
  let recordsBefore = 0
  let reads = 0
  const file = new CursorFile(
    folder,
    () => {
      reads += 1
      return { ...state, recordsBefore }
    },
    settings,
  )
  const saves: Promise<void>[] = []
  for (; recordsBefore < 5; recordsBefore += 1) saves.push(file.save())
  expect(new Set(saves).size).toBe(2)
  await Promise.all(saves)
  expect(reads).toBe(2)
  expect((await loadCursor(folder))?.recordsBefore).toBe(5)
  const last = file.save()
  expect(reads).toBe(3)
  await last
})

test('a save that is asked for when a write ends shares the one that is queued', async () => {
  let reads = 0
  const count = (): CursorState => {
    reads += 1
    return state
  }
  const file = new CursorFile(folder, count, settings)
  const third = file.save().then(() => file.save())
  const second = file.save()
  await Promise.all([second, third])
  expect(reads).toBe(2)
})

test('a cursor is synced at its interval, however often it is saved between', async () => {
  const clock = vi.spyOn(performance, 'now')
  const file = new CursorFile(folder, () => state, { saves: 0, syncMs: 1000 })
  const syncedSaves: number[] = []
  for (const now of [5000, 5600, 5999, 6000, 6999, 7000]) {
    clock.mockReturnValue(now)
    await file.save()
    const synced = JSON.parse(readFileSync(join(folder, 'cursor.synced.json'), 'utf8')) as {
      front: number[]
    }
    syncedSaves.push(synced.front[3]!)
  }
  expect(syncedSaves).toEqual([1, 1, 1, 4, 4, 6])
})

test('a write that fails is told to those who wait for it, and the next one is tried', async () => {
  const file = new CursorFile(join(folder, 'later'), () => state, settings)
  const [first, second] = await Promise.allSettled([file.save(), file.save()])
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected'])
  mkdirSync(join(folder, 'later'))
  await file.save()
  expect(await loadCursor(join(folder, 'later'))).toMatchObject(state)
})

test('where there is no cursor the log is read from its start', async () => {
  expect(await loadCursor(folder)).toBeNull()
})

test('a cursor that the disk does not give is not taken for a missing one', async () => {
  mkdirSync(join(folder, 'cursor.json'))
  await expect(loadCursor(folder)).rejects.toThrow('EISDIR')
})

test.each([
  '',
  '{"front":[3,20,1,12],"lanes":[],"open":[',
  'null',
  '7',
  '[]',
  '{}',
  '{"head":[3,20,1,12],"open":[]}',
  '{"front":[3,20,1,12]}',
  '{"front":[3,20,1,12],"lanes":[]}',
  '{"front":[3,20,1,12],"open":[]}',
  '{"front":[3,20,1,12],"lanes":{},"open":[]}',
  '{"front":[3,20,1,12],"lanes":[],"open":{}}',
  '{"front":{"length":4},"lanes":[],"open":[]}',
  '{"front":[3,20,1],"lanes":[],"open":[]}',
  '{"front":[3,20,1,12,7],"lanes":[],"open":[]}',
  '{"front":[3,20,1,"12"],"lanes":[],"open":[]}',
  '{"front":[3,20,1,null],"lanes":[],"open":[]}',
  '{"front":[3,20,1,1e999],"lanes":[],"open":[]}',
  '{"front":[3,20,1,12],"lanes":[[2,40,5,1,99]],"open":[]}',
  '{"front":[3,20,1,12],"lanes":[],"open":[[2,40,5,1,99]]}',
  '{"front":[3,20,1,12],"lanes":[],"open":[[2,40,5,1,99,1],null]}',
  '{"front":[3,20,1,12],"lanes":[],"open":[[2,40,5,1,99,"1"]]}',
])('a cursor that holds %s is not read', async (text) => {
  writeFileSync(join(folder, 'cursor.json'), text)
  expect(await loadCursor(folder)).toBeNull()
})

test('places are in the order of their segments, then blocks, then deliveries', () => {
  const ordered = [at(1, 9, 9), at(2, 0, 9), at(2, 5, 0), at(2, 5, 1)]
  expect(ordered.toReversed().toSorted(comparePositions)).toEqual(ordered)
  expect(comparePositions(at(2, 5, 1), at(2, 5, 1))).toBe(0)
  expect(new Set(ordered.map(positionId)).size).toBe(4)
  expect(positionId(at(1, 23, 4))).toBe('1-23-4')
})
