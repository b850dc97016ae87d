import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { expect, test } from 'vitest'
import { applyOutbox } from '../../outbox/apply-outbox.ts'
import { openDirectoryBlobs } from '../../storage/blobs/directory-blobs.ts'
import { openSqliteEvents } from '../../storage/events/sqlite/index.ts'
import { openSqliteMetadata } from '../../storage/metadata/sqlite.ts'
import { openLogQueueReader } from '../../storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../../storage/queue/log/writer.ts'
import { DamagedStore, refuseDamaged } from '../../storage/sqlite-damage.ts'
import { processItem } from '../process-item.ts'
import { startWorker } from './worker.ts'

/** Overwrites all pages but the first, which holds what opening reads. */
function damage(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(statSync(file).size - 4096, 0xff), 0, undefined, 4096)
  closeSync(descriptor)
}

test.each(['events', 'metadata'] as const)(
  'a damaged %s.db ends the worker by name, and what waits stays in the queue',
  async (name) => {
    await using closing = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
    closing.defer(() => rmSync(folder, { recursive: true }))
    const files = { events: join(folder, 'events.db'), metadata: join(folder, 'metadata.db') }
    await (await openSqliteEvents({ file: files.events, mode: 'writer' })).close()
    await (await openSqliteMetadata({ file: files.metadata })).close()
    const metadata = await openSqliteMetadata({ file: files.metadata })
    closing.defer(() => metadata.close())
    const events = await openSqliteEvents({ file: files.events, mode: 'writer' })
    closing.defer(() => events.close())
    const blobs = await openDirectoryBlobs(join(folder, 'blobs'))
    const writer = await openLogQueueWriter(join(folder, 'queue'))
    closing.defer(() => writer.close())
    const queue = await openLogQueueReader(join(folder, 'queue'))
    closing.defer(() => queue.close())
    const bytes = encodeEnvelope({}, [
      { header: { type: 'event' }, payload: JSON.stringify({ message: 'It failed' }) },
    ])
    const sender = { projectId: 7, keyId: 'a', remoteAddress: null, userAgent: null }
    await writer.publish({ ...sender, receivedAt: Date.now(), bytes })
    damage(files[name])

    const log = { warn: () => {}, error: () => {} }
    const running = startWorker(
      { queue, events, blobs, metadata, processItem, applyOutbox, log },
      AbortSignal.timeout(20_000),
    )
    await expect(running).rejects.toThrow(DamagedStore)
    await expect(running).rejects.toThrow(`${files[name]} is damaged`)
    expect(() => refuseDamaged([files[name]])).toThrow(files[name])
    expect(existsSync(`${files[name]}.damaged`)).toBe(true)
    expect(await queue.stats()).toMatchObject({ waiting: 1, setAside: 0 })
  },
)
