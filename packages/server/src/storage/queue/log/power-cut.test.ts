import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acknowledge, powerCuts, startRecording } from '../../../testing/power-cut.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { delivery, textsOf } from '../contract.ts'
import { Appender } from './appender.ts'
import { openLogQueueReader } from './reader.ts'
import { recordOverheadMax, writeRecord } from './record.ts'
import { appenderStart } from './writer.ts'

vi.mock('node:fs', async () => (await import('../../../testing/power-cut.ts')).recordingFs())
vi.mock('node:fs/promises', async () =>
  (await import('../../../testing/power-cut.ts')).recordingFsPromises(),
)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'power-cut-'))
  startRecording()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Publishes with the thread's own code, in this one, where the files it writes are recorded. */
async function openAppender(folder: string): Promise<{
  publish(name: string): void
  close(): void
}> {
  const appender = new Appender(await appenderStart(folder, { segmentBytesMax: 300 }))
  return {
    publish: (name) => {
      const record = Buffer.alloc(recordOverheadMax + 100)
      const end = writeRecord(delivery(name), record, 0)
      appender.append([{ id: 0, bytes: new Uint8Array(record.subarray(0, end)), count: 1 }])
    },
    close: () => appender.close(),
  }
}

/** Several segments, read and forgotten while more comes: what was promised is acknowledged. */
async function useQueue(folder: string): Promise<void> {
  const appender = await openAppender(folder)
  for (const name of ['1', '2', '3', '4']) {
    appender.publish(name)
    acknowledge(name)
  }
  const reader = await openLogQueueReader(folder, { pollMs: 10 })
  for (const more of ['5', '6']) {
    const leases = await reader.take(2, 60_000)
    for (const name of textsOf(leases)) acknowledge(`done ${name}`)
    await reader.done(leases)
    appender.publish(more)
    acknowledge(more)
  }
  const [lease] = await reader.take(1, 60_000)
  if (lease === undefined) throw new Error('nothing was left to set aside')
  acknowledge('done 5')
  await reader.setAside(lease, 'looked at')
  acknowledge('set aside')
  await reader.close()
  appender.close()
}

/** What a server finds that starts on this disk: everything before the first thing it publishes itself. */
async function foundIn(folder: string): Promise<ReadonlySet<string>> {
  const appender = await openAppender(folder)
  appender.publish('end')
  appender.close()
  const reader = await openLogQueueReader(folder, { pollMs: 1 })
  const found = new Set<string>()
  while (!found.has('end')) {
    const leases = await reader.take(10, 60_000)
    for (const name of textsOf(leases)) found.add(name)
    await reader.done(leases)
  }
  await reader.close()
  return found
}

const random = seededRandom(7)
test.each([
  ['nothing that was not synced survives', () => false],
  ['some of it survives', () => random() < 0.5],
])('a power cut at any step loses nothing that was acknowledged: %s', async (_name, survives) => {
  const folder = join(root, 'data', 'queue')
  await useQueue(folder)
  const cuts = [...powerCuts(survives)]
  let count = 0
  for (const cut of cuts) {
    const disk = join(root, `disk-${count++}`)
    cut.restore(root, disk)
    const found = await foundIn(join(disk, 'data', 'queue'))
    const promised = ['1', '2', '3', '4', '5', '6'].filter(
      (name) => cut.acknowledged.includes(name) && !cut.acknowledged.includes(`done ${name}`),
    )
    const lost = promised.filter((name) => !found.has(name))
    expect(lost, `step ${count}`).toEqual([])
    if (cut.acknowledged.includes('set aside')) {
      const kept = readdirSync(join(disk, 'data', 'queue', 'set-aside'))
      expect(kept.filter((name) => name.endsWith('.envelope'))).toHaveLength(1)
    }
  }
  expect(count).toBeGreaterThan(40)
})
