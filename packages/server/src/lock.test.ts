import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLock } from './lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterimage-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('refuses a second holder and names the file', async () => {
  const file = join(folder, 'lock')
  const lock = await acquireLock(file, 0)
  await expect(acquireLock(file, 50)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
  await expect(acquireLock(file, 0)).rejects.toThrow(file)
  lock.release()
  const second = await acquireLock(file, 0)
  second.release()
})

test('is free again the moment its holder is killed', async () => {
  const file = join(folder, 'lock')
  const script = `import('${new URL('./lock.ts', import.meta.url).href}').then(async (it) => {
    await it.acquireLock(${JSON.stringify(file)}, 0); console.log('held'); setInterval(() => {}, 1000) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await expect(acquireLock(file, 0)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await acquireLock(file, 2000)
  lock.release()
})
