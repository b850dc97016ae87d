import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { cancelledBy } from '../../caller-signal.ts'
import { testAggregates } from '../contract/aggregates.ts'
import { testPages } from '../contract/pages.ts'
import { testQuantiles } from '../contract/quantiles.ts'
import { sampleEnvelope, sampleError, sampleId } from '../contract/samples.ts'
import type { EventStore, PageQuery } from '../port.ts'
import { openSqliteEvents } from './index.ts'
import { openSqliteEventsInThreads, threadLimits, type ThreadLimits } from './threads.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

/** A writer, and beside it a reader in threads that answers queries. */
async function open(limits: Partial<ThreadLimits> = {}): Promise<EventStore> {
  const folder = mkdtempSync(join(tmpdir(), 'threads-'))
  const file = join(folder, 'events.db')
  const writer = await openSqliteEvents({ file, mode: 'writer' })
  const reader = await openSqliteEventsInThreads({ file }, { ...threadLimits, ...limits })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await reader.close()
    await writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
  closes.push(close)
  return {
    ...writer,
    point: reader.point,
    page: reader.page,
    aggregate: reader.aggregate,
    close,
  }
}

// Writing is the same code with or without threads.
for (const testReads of [testPages, testAggregates, testQuantiles]) {
  testReads(() => open({ threadsMax: 1 }))
}

const quick: PageQuery<'errors'> = { table: 'errors', projectIds: [1], where: [], limit: 1 }
/** Long texts, and many patterns that they must not contain: seconds of work. */
const endless: PageQuery<'errors'> = {
  ...quick,
  where: Array.from({ length: 100 }, (_, index) => ({
    field: 'message',
    op: 'notContains',
    text: `ab${index}`,
  })),
  order: { field: 'message', descending: true },
}

async function openFilled(limits: Partial<ThreadLimits>): Promise<EventStore> {
  const store = await open(limits)
  const message = 'ab'.repeat(4_000)
  for (let batch = 0; batch < 4; batch += 1) {
    const items = Array.from({ length: 1_000 }, (_, index) =>
      sampleError({ eventId: sampleId(batch * 1_000 + index), message }),
    )
    await store.append([sampleEnvelope(items)])
  }
  return store
}

test('a slow query keeps nobody else waiting, and ends when its caller has gone', async () => {
  const store = await openFilled({ threadsMax: 2 })
  const asker = new AbortController()
  const slow = cancelledBy(asker.signal, () => store.page(endless))
  const ended = vi.fn<() => void>()
  const failure = slow.catch((error: unknown) => error).finally(ended)
  await expect(store.page(quick)).resolves.toMatchObject({ rows: [{}] })
  expect(ended).not.toHaveBeenCalled()
  asker.abort()
  expect(await failure).toMatchObject({ code: 'QUERY_ABANDONED' })
})

test('a query that takes too long is ended, and its thread is free again', async () => {
  const store = await openFilled({ threadsMax: 1, questionMs: 50 })
  await expect(store.page(endless)).rejects.toMatchObject({
    code: 'QUERY_TOO_SLOW',
    message: expect.stringContaining('Narrow it') as string,
  })
  const patient = AbortSignal.timeout(30_000)
  await expect(cancelledBy(patient, () => store.page(quick))).resolves.toMatchObject({ rows: [{}] })
})

test('one query more than may wait is refused at once', async () => {
  const store = await openFilled({ threadsMax: 1, waitingMax: 1 })
  const asker = new AbortController()
  const ask = (query: PageQuery<'errors'>) =>
    cancelledBy(asker.signal, () => store.page(query)).catch((error: unknown) => error)
  await store.page(quick)
  const waiting = [ask(endless), ask(quick)]
  expect(await ask(quick)).toMatchObject({ code: 'READS_BUSY' })
  asker.abort()
  for (const answer of waiting) expect(await answer).toMatchObject({ code: 'QUERY_ABANDONED' })
})

test('a caller that has gone already is not answered', async () => {
  const store = await open({ threadsMax: 1 })
  await expect(cancelledBy(AbortSignal.abort(), () => store.page(quick))).rejects.toMatchObject({
    code: 'QUERY_ABANDONED',
  })
})
