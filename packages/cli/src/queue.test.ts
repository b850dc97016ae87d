import { execFile, spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { openMetadata, openQueueWriter } from '@afterimage/server/storage/open'

const cli = fileURLToPath(new URL('index.ts', import.meta.url))

/** A role that has not logged the line by then is killed, ms. */
const ROLE_MS = 30_000

/** Runs the role until a line of its log fits, and stops it. */
async function runProcessUntil(env: NodeJS.ProcessEnv, isEnough: RegExp): Promise<string> {
  const role = spawn(process.execPath, [cli, 'process'], { env, stdio: 'pipe', timeout: ROLE_MS })
  role.stdout.resume()
  const closed = new Promise((resolve) => role.once('close', resolve))
  try {
    for await (const line of createInterface({ input: role.stderr })) {
      if (isEnough.test(line)) return line
    }
    throw new Error('the role ended')
  } finally {
    role.kill('SIGTERM')
    await closed
  }
}

test('damage in the queue is logged with its file, whose readable rest is queued again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'damaged-queue-'))
  const env = { ...process.env, AFTERIMAGE_DATA_DIR: dataDir, AFTERIMAGE_LOG_LEVEL: 'info' }
  const config = readConfig(readEnv(env), dataDir)
  // Without it the directory is taken for another program's.
  await (await openMetadata(config)).close()
  const writer = await openQueueWriter(config)
  for (const message of ['first', 'damaged', 'last']) {
    await writer.publish({
      receivedAt: Date.now(),
      projectId: 1,
      keyId: 'a'.repeat(32),
      remoteAddress: null,
      userAgent: null,
      bytes: new TextEncoder().encode(`{}\n{"type":"event"}\n{"message":"${message}"}`),
    })
  }
  await writer.close()
  const [segment = ''] = globSync(join(config.paths.queue, 'log', '*.log'))
  const bytes = readFileSync(segment)
  writeFileSync(segment, bytes.fill(0, bytes.indexOf('damaged'), bytes.indexOf('damaged') + 4))
  // The next start goes on in a segment of its own.
  await (await openQueueWriter(config)).close()

  const line = await runProcessUntil(env, /afterimage queue requeue/)
  const { path } = JSON.parse(line) as { path: string }
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'queue', 'requeue', path], {
    env,
  })
  expect(stdout).toBe(`${path}: 2 envelopes queued again, 1 unreadable parts skipped\n`)
  expect(readFileSync(`${path}.requeued`)).toEqual(bytes)
  rmSync(dataDir, { recursive: true })
})
