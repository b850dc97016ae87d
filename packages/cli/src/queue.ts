import { rename } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { acquireLock } from '@afterimage/server/programs/lock'
import { openQueueWriter, requeueSegment } from '@afterimage/server/storage/open'
import { UsageError } from './usage-error.ts'

/**
 * Runs `queue requeue <file>…`: queues the deliveries of damaged segments again, and renames each file
 * to `….requeued`. The server must be stopped: a queue has one writer.
 */
export async function queue(rest: readonly string[]): Promise<void> {
  const { positionals } = parseArgs({ args: [...rest], allowPositionals: true, options: {} })
  const [action, ...files] = positionals
  if (action !== 'requeue') throw new UsageError('queue: give "requeue"')
  if (files.length === 0) throw new UsageError('queue requeue: give the path of a segment')
  const config = readConfig(readEnv(process.env), process.cwd())
  const lock = await acquireLock(`${config.paths.lock}-ingest`, 0)
  const writer = await openQueueWriter(config)
  try {
    for (const file of files) {
      const { deliveries, broken } = await requeueSegment(file, writer)
      await rename(file, `${file}.requeued`)
      console.log(
        `${file}: ${deliveries} envelopes queued again, ${broken} unreadable parts skipped`,
      )
    }
  } finally {
    await writer.close()
    lock.release()
  }
}
