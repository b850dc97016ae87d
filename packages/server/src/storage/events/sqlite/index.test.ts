import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { testEventStore } from '../contract/index.ts'
import { openSqliteEvents } from './index.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

testEventStore(() => {
  const folder = mkdtempSync(join(tmpdir(), 'events-'))
  folders.push(folder)
  return openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
})
