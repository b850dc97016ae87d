import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
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

test('stays held when nobody keeps the handle, and is free the moment its holder is killed', async () => {
  const file = join(folder, 'lock')
  // A collected connection closes its file: the holder below drops the handle and collects.
  const script = `import('${new URL('./lock.ts', import.meta.url).href}').then(async (it) => {
    await it.acquireLock(${JSON.stringify(file)}, 0)
    setInterval(() => {}, 1000)
    setImmediate(() => { gc(); setImmediate(() => { gc(); console.log('held') }) }) })`
  const child = spawn(process.execPath, ['--expose-gc', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await expect(acquireLock(file, 0)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await acquireLock(file, 2000)
  lock.release()
})
