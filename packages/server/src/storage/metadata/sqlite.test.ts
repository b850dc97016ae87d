import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { metadataContract } from './contract.ts'
import { openSqliteMetadata } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'metadata-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const freshFile = () => join(folder, `${(files += 1)}.db`)

metadataContract('sqlite', () => openSqliteMetadata({ file: freshFile() }))

test('two connections see each other’s committed writes', async () => {
  const file = freshFile()
  const [one, two] = [await openSqliteMetadata({ file }), await openSqliteMetadata({ file })]
  await one.all("insert into projects (slug, name, created_at) values ('web', 'Web', 1)")
  expect(await two.all('select slug from projects')).toEqual([{ slug: 'web' }])
  await two.transaction((tx) => tx.all("update projects set name = 'W'"))
  expect(await one.all('select name from projects')).toEqual([{ name: 'W' }])
  await one.close()
  await two.close()
})

test('the file can be read by its owner only', async () => {
  const file = freshFile()
  const metadata = await openSqliteMetadata({ file })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await metadata.close()
  await expect(metadata.all('select 1')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
})
