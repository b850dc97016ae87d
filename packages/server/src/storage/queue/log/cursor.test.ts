import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { comparePositions, CursorFile, loadCursor, positionId } from './cursor.ts'
import type { CursorState } from './cursor.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cursor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (segment: number, offset: number, index: number) => ({ segment, offset, index })

const state: CursorState = {
  head: at(3, 20, 1),
  recordsBefore: 12,
  open: [{ ...at(2, 40, 5), attempts: 1, bytes: 99, receivedAt: 1_800_000_000_000 }],
}

test('a cursor is loaded as it was saved, and nothing else stays in its folder', async () => {
  await new CursorFile(folder, () => state).save()
  expect(await loadCursor(folder)).toEqual(state)
  expect(readdirSync(folder)).toEqual(['cursor.json'])
})

test('changes made during a write share the next one', async () => {
  let recordsBefore = 0
  let reads = 0
  const file = new CursorFile(folder, () => {
    reads += 1
    return { ...state, recordsBefore }
  })
  const saves: Promise<void>[] = []
  for (; recordsBefore < 5; recordsBefore += 1) saves.push(file.save())
  expect(new Set(saves).size).toBe(2)
  await Promise.all(saves)
  expect(reads).toBe(2)
  expect((await loadCursor(folder))?.recordsBefore).toBe(5)
  await file.save()
  expect(reads).toBe(3)
})

test('a write that fails is told to those who wait for it, and the next one is tried', async () => {
  const file = new CursorFile(join(folder, 'later'), () => state)
  const [first, second] = await Promise.allSettled([file.save(), file.save()])
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected'])
  mkdirSync(join(folder, 'later'))
  await file.save()
  expect(await loadCursor(join(folder, 'later'))).toEqual(state)
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
  '{"head":[3,20,1,12],"open":[',
  'null',
  '7',
  '[]',
  '{}',
  '{"head":[3,20,1,12]}',
  '{"head":[3,20,1,12],"open":{}}',
  '{"open":[]}',
  '{"head":{"length":4},"open":[]}',
  '{"head":[3,20,1],"open":[]}',
  '{"head":[3,20,1,12,7],"open":[]}',
  '{"head":[3,20,1,"12"],"open":[]}',
  '{"head":[3,20,1,null],"open":[]}',
  '{"head":[3,20,1,1e999],"open":[]}',
  '{"head":[3,20,1,12],"open":[[2,40,5,1,99]]}',
  '{"head":[3,20,1,12],"open":[[2,40,5,1,99,1],null]}',
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
