import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { readEnv } from '../env.ts'
import { cancelledBy } from './caller-signal.ts'
import { openEvents } from './open.ts'

test('a query of a reader of events ends when its caller has gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-'))
  const config = readConfig(readEnv({ AFTERIMAGE_DATA_DIR: folder }), folder)
  const writer = await openEvents(config, 'writer')
  const reader = await openEvents(config, 'reader')
  const caller = new AbortController()
  const query = { table: 'errors', projectIds: [1], where: [], limit: 1 } as const
  const answer = cancelledBy(caller.signal, () => reader.page(query))
  // Answered on this thread, the query would be over by now.
  caller.abort()
  await expect(answer).rejects.toMatchObject({ code: 'QUERY_ABANDONED' })
  await reader.close()
  await writer.close()
  rmSync(folder, { recursive: true })
})
