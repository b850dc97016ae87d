import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Lease } from '../port.ts'
import { countSetAside, setSegmentAside, writeSetAside } from './set-aside.ts'
import { deliveryOf } from './written-log.fixture.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'aside-'))
  folder = join(parent, 'set-aside')
})
afterEach(() => rmSync(parent, { recursive: true }))

const wide = { setAsideMax: 10, setAsideBytesMax: 1000 }

function leaseOf(id: string, text = '{}'): Lease {
  return { id, attempts: 3, delivery: deliveryOf(7, text) }
}

function kept(): string[] {
  return readdirSync(folder).sort()
}

test('a delivery is kept as it came, with its reason beside it', async () => {
  await writeSetAside(folder, leaseOf('1-32-0', 'body'), 'cannot be read', wide)
  expect(kept()).toEqual(['1-32-0.envelope', '1-32-0.json'])
  expect(readFileSync(join(folder, '1-32-0.envelope'), 'utf8')).toBe('body')
  expect(JSON.parse(readFileSync(join(folder, '1-32-0.json'), 'utf8'))).toEqual({
    id: '1-32-0',
    reason: 'cannot be read',
    attempts: 3,
    receivedAt: 1,
    projectId: 7,
    keyId: 'k',
    remoteAddress: null,
    userAgent: null,
  })
})

test('a segment is moved, and the place says where', async () => {
  const path = join(parent, 'a.log')
  writeFileSync(path, 'bytes')
  expect(await setSegmentAside(folder, path, 7, wide)).toBe(join(folder, '7.segment'))
  expect(existsSync(path)).toBe(false)
  expect(readFileSync(join(folder, '7.segment'), 'utf8')).toBe('bytes')
})

test('deliveries and segments are counted, other files are not', async () => {
  expect(await countSetAside(folder)).toBe(0)
  await writeSetAside(folder, leaseOf('1-32-0'), 'x', wide)
  writeFileSync(join(folder, '7.segment'), '')
  writeFileSync(join(folder, 'notes.txt'), '')
  writeFileSync(join(folder, '7.segment.new'), '')
  expect(await countSetAside(folder)).toBe(2)
  await expect(countSetAside(join(folder, 'notes.txt'))).rejects.toThrow('ENOTDIR')
})

test('beyond a number the oldest of the log goes, with its reason, but never the newest', async () => {
  const two = { ...wide, setAsideMax: 2 }
  for (const id of ['10-32-0', '9-32-0', '9-100-0'])
    await writeSetAside(folder, leaseOf(id), 'x', two)
  expect(kept()).toEqual(['10-32-0.envelope', '10-32-0.json', '9-100-0.envelope', '9-100-0.json'])
  await writeSetAside(folder, leaseOf('1-32-0'), 'x', { ...wide, setAsideMax: 1 })
  expect(kept()).toEqual(['1-32-0.envelope', '1-32-0.json'])
})

test('beyond so many bytes the oldest go, until there is room', async () => {
  const limits = { setAsideMax: 10, setAsideBytesMax: 100 }
  for (const id of ['1', '2', '3'])
    await writeSetAside(folder, leaseOf(id, 'x'.repeat(33)), 'x', limits)
  expect(await countSetAside(folder)).toBe(3)
  await writeSetAside(folder, leaseOf('4', 'x'.repeat(34)), 'x', limits)
  expect(kept()).toEqual(
    ['2.json', '3.json', '4.json'].flatMap((json) => [json.replace('json', 'envelope'), json]),
  )
  const path = join(parent, 'a.log')
  writeFileSync(path, 'x'.repeat(200))
  await setSegmentAside(folder, path, 5, limits)
  expect(kept()).toEqual(['5.segment'])
  await writeSetAside(folder, leaseOf('6-32-0'), 'x', limits)
  expect(kept()).toEqual(['6-32-0.envelope', '6-32-0.json'])
})
