import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FolderSize } from './folder-size.ts'

test('counts files at every depth, and again only after ten minutes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterimage-size-'))
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  writeFileSync(join(folder, 'one'), 'x'.repeat(10))
  writeFileSync(join(folder, 'a/b/two'), 'x'.repeat(32))
  const size = new FolderSize(folder)
  expect(await size.bytes(0)).toBe(42)
  writeFileSync(join(folder, 'three'), 'x'.repeat(8))
  expect(await size.bytes(599_999)).toBe(42)
  expect(await size.bytes(600_000)).toBe(50)
  rmSync(folder, { recursive: true })
  expect(await new FolderSize(folder).bytes(0)).toBe(0)
})
