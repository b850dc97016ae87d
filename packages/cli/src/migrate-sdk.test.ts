import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migrateSdk } from './migrate-sdk.ts'

let folder = ''
let said = ''
const file = (): string => readFileSync(join(folder, 'a.js'), 'utf8')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-sdk-'))
  said = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    said += text
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
  rmSync(folder, { recursive: true })
})

test('without --write the diff is shown, and nothing is written', async () => {
  const before = `import { flush } from '@sentry/browser'\n`
  writeFileSync(join(folder, 'a.js'), before)
  await migrateSdk([folder])
  expect(said).toContain(`-${before}+import { flush } from '@afterimage/browser'\n`)
  expect(said).toContain('1 files would change, 0 places to look at.\nNothing was written')
  expect(file()).toBe(before)
  expect(process.exitCode).toBe(undefined)
})

test('with --write the files change, and the exit code says that something is left', async () => {
  writeFileSync(join(folder, 'a.js'), `import { flush, showReportDialog } from '@sentry/browser'\n`)
  await migrateSdk([folder, '--write'])
  expect(file()).toBe(
    `import { flush } from '@afterimage/browser'\nimport { showReportDialog } from '@sentry/browser'\n`,
  )
  expect(said).toContain('  a.js:1  showReportDialog: write showReportDialog of')
  expect(process.exitCode).toBe(3)
})

test('the tarballs of the server come into the manifest, below its own path', async () => {
  writeFileSync(join(folder, 'a.js'), `import { flush } from '@sentry/browser'\n`)
  writeFileSync(join(folder, 'package.json'), `{ "dependencies": { "@sentry/browser": "1" } }`)
  await migrateSdk([folder, '--write', '--server', 'https://example.com/after'])
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toMatch(
    /"@afterimage\/browser": "https:\/\/example\.com\/after\/npm\/afterimage-browser-[\d.]+\.tgz"/,
  )
})

test.each([[[]], [['a', 'b']], [['/nowhere/at/all']], [['.', '--server', 'ftp://a']]])(
  'a wrong command line is refused: %j',
  async (rest) => {
    await expect(migrateSdk(rest)).rejects.toThrow(/^(?:migrate-sdk|--server): /)
  },
)
