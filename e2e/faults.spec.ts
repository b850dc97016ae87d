import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startProduct, type Product } from './support/product.ts'

/** Starts that cannot succeed: each is refused once, in words that say what to do, and changes nothing. */

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'afterimage-faults-'))
let product: Product

beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

interface Refusal {
  readonly exitCode: number
  /** Everything that was printed but the progress of the start. */
  readonly said: string
}

/** Our own lines, and those of Next, which begin with a tick. */
const progress = /^(|Starting …|  \w+ is ready|✓ .*)$/

/** Runs `npm start`'s command until it ends by itself. */
async function startInVain(dataDir: string, port: number): Promise<Refusal> {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    AFTERIMAGE_DATA_DIR: dataDir,
    AFTERIMAGE_LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  }
  let said = ''
  const child = spawn(process.execPath, ['tools/run.mjs', 'start.ts'], {
    cwd: root,
    env: environment,
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  await once(child, 'close')
  const lines = said.split('\n').filter((line) => !progress.test(line))
  return { exitCode: child.exitCode ?? -1, said: lines.join('\n') }
}

test('a second start on one data directory is refused, and the first goes on', async () => {
  const names = readdirSync(product.dataDir).toSorted()
  const refusal = await startInVain(product.dataDir, await freePort())
  expect(refusal).toEqual({
    exitCode: 1,
    said:
      `${product.dataDir}/lock is held by another server.\n` +
      'Stop the other server, or choose another AFTERIMAGE_DATA_DIR.',
  })
  expect(readdirSync(product.dataDir).toSorted()).toEqual(names)
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
})

test('a port that is taken is named once, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  try {
    expect(await startInVain(join(folder, 'port'), port)).toEqual({
      exitCode: 1,
      said:
        `Another program listens on 127.0.0.1:${port}.\n` +
        'Stop that program, or set another PORT.',
    })
  } finally {
    other.close()
  }
})

test('a directory of another program is refused and left as it is', async () => {
  const dataDir = join(folder, 'theirs')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'PG_VERSION'), '17\n')
  expect(await startInVain(dataDir, await freePort())).toEqual({
    exitCode: 1,
    said:
      `${dataDir} holds files of another program (PG_VERSION). Nothing was changed there.\n` +
      'Correct what the message names, or choose another AFTERIMAGE_DATA_DIR.',
  })
  expect(readdirSync(dataDir)).toEqual(['PG_VERSION'])
})

test('a stop takes less than 10 s, also while a role hangs', async () => {
  const web = (await product.rolePids()).get('web') ?? 0
  process.kill(web, 'SIGSTOP')
  const startedAt = performance.now()
  expect(await product.stop()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
