import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acknowledge, powerCuts, startRecording } from '../../testing/power-cut.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { openDirectoryBlobs } from './directory-blobs.ts'

vi.mock('node:fs', async () => (await import('../../testing/power-cut.ts')).recordingFs())
vi.mock('node:fs/promises', async () =>
  (await import('../../testing/power-cut.ts')).recordingFsPromises(),
)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'power-cut-'))
  startRecording()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const random = seededRandom(11)
test.each([
  ['nothing that was not synced survives', () => false],
  ['everything survives', () => true],
  ['some of it survives', () => random() < 0.5],
])('a power cut at any step leaves every blob that was put, whole: %s', async (_name, survives) => {
  const folder = join(root, 'data', 'blobs')
  const blobs = await openDirectoryBlobs(folder)
  const keys = ['replays/1/a/0', 'replays/1/a/1', 'attachments/2/b', 'replays/1/c/0']
  for (const key of keys) {
    await blobs.put(key, Buffer.from(`body of ${key}`))
    acknowledge(key)
  }
  await blobs.delete('attachments/2/b')
  const cuts = [...powerCuts(survives)]
  let count = 0
  for (const cut of cuts) {
    const disk = join(root, `disk-${count++}`)
    cut.restore(root, disk)
    const left = await openDirectoryBlobs(join(disk, 'data', 'blobs'))
    for (const key of cut.acknowledged.filter((it) => it !== 'attachments/2/b')) {
      const found = await left.get(key)
      const text = found === null ? null : await new Response(found.body).text()
      expect(text, `${key} after step ${count}`).toBe(`body of ${key}`)
    }
  }
  expect(count).toBeGreaterThan(20)
})
