import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acknowledge, powerCuts, startRecording } from '../../../testing/power-cut.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { delivery, textsOf } from '../contract/queue-under-test.ts'
import { Appender } from './appender.ts'
import type { LogQueueLimits } from './limits.ts'
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

/** Publishes with the thread's own code, in this thread, where its writes are recorded. */
async function openAppender(folder: string): Promise<{
  /** Publishes together, in one block; the project is the first letter of the name. */
  publish(...names: string[]): void
  close(): void
}> {
  const appender = new Appender(await appenderStart(folder, { segmentBytesMax: 300 }))
  return {
    publish: (...names) => {
      const records = Buffer.alloc(names.length * (recordOverheadMax + 100))
      const end = names.reduce((at, name) => {
        const projectId = name.startsWith('a') ? 1 : 2
        return writeRecord(delivery(name, { projectId }), records, at)
      }, 0)
      const bytes = new Uint8Array(records.subarray(0, end))
      appender.append([{ id: 0, bytes, count: names.length }])
      for (const name of names) acknowledge(name)
    },
    close: () => appender.close(),
  }
}

/** Two projects in several segments, read in turn and forgotten while more comes. */
async function useQueue(folder: string, limits: Partial<LogQueueLimits>): Promise<void> {
  const appender = await openAppender(folder)
  for (const names of [['a1'], ['a2', 'b1', 'a3'], ['a4', 'a5'], ['b2', 'a6']]) {
    appender.publish(...names)
  }
  const reader = await openLogQueueReader(folder, { pollMs: 10, turnBytesMax: 1, ...limits })
  for (const more of ['b3', 'a7', 'a8']) {
    const leases = await reader.take(2, 60_000)
    for (const name of textsOf(leases)) acknowledge(`done ${name}`)
    await reader.done(leases)
    for (const name of textsOf(leases)) acknowledge(`forgotten ${name}`)
    appender.publish(more)
  }
  const [lease] = await reader.take(1, 60_000)
  if (lease === undefined) throw new Error('nothing was left to set aside')
  acknowledge(`done ${textsOf([lease]).join()}`)
  await reader.setAside(lease, 'looked at')
  acknowledge('set aside')
  await reader.close()
  appender.close()
}

/** Reads a disk as the next start would: everything before the first thing it publishes itself. */
async function foundIn(folder: string): Promise<ReadonlySet<string>> {
  const appender = await openAppender(folder)
  appender.publish('a end', 'b end')
  appender.close()
  const reader = await openLogQueueReader(folder, { pollMs: 1 })
  const found = new Set<string>()
  while (!found.has('a end') || !found.has('b end')) {
    const leases = await reader.take(10, 60_000)
    for (const name of textsOf(leases)) found.add(name)
    await reader.done(leases)
  }
  await reader.close()
  return found
}

const random = seededRandom(7)
const disks = [
  ['nothing that was not synced survives', () => false],
  ['some of it survives', () => random() < 0.5],
] as const

/** Deliveries that the next start finds after a power cut at each step. */
async function* afterEachCut(
  limits: Partial<LogQueueLimits>,
  survives: () => boolean,
): AsyncGenerator<{ acknowledged: readonly string[]; found: ReadonlySet<string>; queue: string }> {
  await useQueue(join(root, 'data', 'queue'), limits)
  let count = 0
  const cuts = [...powerCuts(survives)]
  for (const cut of cuts) {
    const disk = join(root, `disk-${count++}`)
    cut.restore(root, disk)
    const queue = join(disk, 'data', 'queue')
    yield { acknowledged: cut.acknowledged, found: await foundIn(queue), queue }
  }
  expect(count).toBeGreaterThan(60)
}

test.each(disks)(
  'a power cut at any step loses nothing that was acknowledged: %s',
  async (_name, survives) => {
    for await (const { acknowledged, found, queue } of afterEachCut({}, survives)) {
      const promised = acknowledged.filter(
        (name) => /^[ab]\d/.test(name) && !acknowledged.includes(`done ${name}`),
      )
      expect(promised.filter((name) => !found.has(name))).toEqual([])
      if (acknowledged.includes('set aside')) {
        const kept = readdirSync(join(queue, 'set-aside'))
        expect(kept.filter((name) => name.endsWith('.envelope'))).toHaveLength(1)
      }
    }
  },
)

test.each(disks)(
  'a power cut brings nothing back that was done before the cursor was synced: %s',
  async (_name, survives) => {
    for await (const { acknowledged, found } of afterEachCut({ cursorSyncMs: 0 }, survives)) {
      const back = [...found].filter((name) => acknowledged.includes(`forgotten ${name}`))
      expect(back).toEqual([])
    }
  },
)
