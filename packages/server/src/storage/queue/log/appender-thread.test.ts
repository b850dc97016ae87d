import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Handover } from './appender.ts'
import { ready, serveAppender, type AppenderAnswer } from './appender-thread.ts'
import { listSegments, SegmentReader, segmentHeaderBytes } from './segment.ts'
import { deliveryOf, openFilesIn, recordsOf } from './written-log.fixture.ts'

let root: string
let logFolder: string
let port: MessagePort
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'appender-thread-'))
  logFolder = join(root, 'log')
  renameSync(mkdtempSync(join(root, 'new-')), logFolder)
})
afterEach(() => {
  port.close()
  rmSync(root, { recursive: true })
})

/** Serves in this thread, once what is sent before has come. */
async function serve(batchBytesMax: number, sent: readonly (Handover | null)[]): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  port = port1
  for (const one of sent) send(one)
  const start = { logFolder, lastNumber: 0, recordsEver: 0, segmentBytesMax: 1 }
  serveAppender(port2, { ...start, batchBytesMax })
  expect((await once(port, 'message'))[0]).toBe(ready)
}

function send(one: Handover | null): void {
  port.postMessage(one, one === null ? [] : [one.bytes.buffer])
}

function handover(id: number, bytes = 10): Handover {
  return { id, bytes: recordsOf([deliveryOf(7, 'x'.repeat(bytes))]), count: 1 }
}

async function answer(): Promise<AppenderAnswer> {
  return ((await once(port, 'message')) as [AppenderAnswer])[0]
}

function idsOf({ stages }: AppenderAnswer): number[] {
  return stages.map(({ id }) => id)
}

test('what is handed over is written, and its memory comes back', async () => {
  await serve(1000, [])
  const one = handover(3)
  const size = one.bytes.byteLength
  send(one)
  expect(one.bytes.byteLength).toBe(0)
  const written = await answer()
  expect(written).toMatchObject({ type: 'written', stages: [{ id: 3 }] })
  expect(written.stages[0]?.memory.byteLength).toBe(size)
  const reader = await SegmentReader.open(logFolder, 2)
  const bytes = (await reader!.size()) - segmentHeaderBytes
  expect(written).toHaveProperty('bytes', bytes)
  expect(await reader!.count(segmentHeaderBytes)).toMatchObject({ records: 1 })
  await reader!.close()
})

test('what came during a write shares the next one, up to its bytes', async () => {
  const size = handover(1).bytes.byteLength
  await serve(
    2 * size,
    [1, 2, 3, 4, 5].map((id) => handover(id)),
  )
  const answers = [await answer(), await answer(), await answer()]
  expect(answers.map(idsOf)).toEqual([[1, 2], [3, 4], [5]])
  // One segment for each write, and the one that was opened first.
  expect(await listSegments(logFolder)).toEqual([1, 2, 3, 4])
})

test('one that is larger than a write has one of its own', async () => {
  await serve(1, [handover(1), handover(2)])
  expect([idsOf(await answer()), idsOf(await answer())]).toEqual([[1], [2]])
})

test('after the last message everything before is written, and the port is closed', async () => {
  await serve(1_000_000, [handover(1), handover(2), null])
  const closed = once(port, 'close')
  expect(idsOf(await answer())).toEqual([1, 2])
  await closed
})

test('a last message without any before closes the port', async () => {
  await serve(1_000_000, [])
  const closed = once(port, 'close')
  send(null)
  await closed
  expect(openFilesIn(root)).toEqual([])
})

test('a write that fails is told with the code of the system, and the next one is tried', async () => {
  await serve(1, [])
  renameSync(logFolder, join(root, 'away'))
  send(handover(7))
  const failed = await answer()
  expect(failed).toMatchObject({ type: 'failed', stages: [{ id: 7 }], cause: { code: 'ENOENT' } })
  expect(failed).toHaveProperty('cause.message', expect.stringContaining('no such file'))
  renameSync(join(root, 'away'), logFolder)
  send(handover(8))
  expect(await answer()).toMatchObject({ type: 'written', stages: [{ id: 8 }] })
})
