import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { join } from 'node:path'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import { zipOf } from './archive.fixture.ts'
import { type ArchiveBytes, openArchive } from './archive.ts'
import { UnusableUpload } from './unusable-upload.ts'

vi.mock('./limits.ts', async (original) => ({
  ...(await original<Record<string, number>>()),
  ARCHIVE_FILES_MAX: 3,
  EXPANDED_BYTES_MAX: 3_000_000,
  EXPANSION_FREE_BYTES: 1000,
}))

function bytesOf(content: Buffer): ArchiveBytes {
  return {
    bytes: content.length,
    async *read(start, end) {
      // In two parts, as those of an upload may begin anywhere.
      const middle = Math.floor((start + end) / 2)
      yield content.subarray(start, middle)
      yield content.subarray(middle, end)
    },
  }
}

const texts = new Map([
  ['a.js', 'a()'],
  ['b.js', 'b()'.repeat(100)],
])
const header = Buffer.from('SYSB\u0002\0\0\0')

test.for([
  ['deflated', true, ''],
  ['stored', false, ''],
  ['deflated, behind the header', true, 'SYSB'],
] as const)('a ZIP is read: %s', async ([, isCompressed, prefix]) => {
  const zip = await zipOf(texts, isCompressed)
  const archive = await openArchive(bytesOf(prefix === '' ? zip : Buffer.concat([header, zip])))
  expect(String(await archive.read('b.js'))).toBe('b()'.repeat(100))
  expect(String(await archive.read('a.js'))).toBe('a()')
  expect(await archive.read('c.js')).toBeNull()
  await expect(archive.read('b.js', 100)).rejects.toThrow('"b.js" has more than 100 bytes')
  archive.close()
})

test.for([
  'sentry-cli-2.58.5-sourcemaps-upload/003.artifact-bundle.sysb.zip',
  'vite-plugin-11.9.0/024.artifact-bundle.sysb.zip',
])('the recorded bundle %s is read', async (file, context) => {
  const folder = sharedFolder('fixtures')
  if (folder === null) return context.skip('not run: the folder of fixtures is absent')
  const archive = await openArchive(bytesOf(readFileSync(join(folder, 'generated-uploads', file))))
  expect(JSON.parse(String(await archive.read('manifest.json')))).toMatchObject({ project: 'web' })
})

async function refusal(content: Buffer, path = 'a.js'): Promise<string> {
  try {
    const archive = await openArchive(bytesOf(content))
    await archive.read(path)
    return 'it was read'
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableUpload)
    return (error as Error).message
  }
}

test('an archive that cannot be read says why', async () => {
  const zip = await zipOf(texts)
  expect(await refusal(Buffer.alloc(0))).toMatch(/cannot be read/)
  expect(await refusal(header)).toMatch(/cannot be read/)
  expect(await refusal(Buffer.from('not a ZIP at all, and long enough to look at'))).toMatch(
    /cannot be read/,
  )
  expect(await refusal(zip.subarray(0, -10))).toMatch(/cannot be read/)
  const damaged = Buffer.from(await zipOf(texts, false))
  damaged[damaged.indexOf('a()')] = 0x62
  expect(await refusal(damaged)).toBe('"a.js" is damaged in the archive.')
})

test('an archive that would grow too much is not read', async () => {
  const many = new Map(Array.from({ length: 5 }, (_, index) => [`${index}.js`, '']))
  expect(await refusal(await zipOf(many))).toMatch(/more than 3 files/)
  const large = new Map([['a.js', Buffer.alloc(3_000_001, 'a1b2')]])
  expect(await refusal(await zipOf(large))).toMatch(/more than 3000000 bytes of files/)
  const bomb = new Map([['a.js', Buffer.alloc(2_000_000)]])
  expect(await refusal(await zipOf(bomb))).toBe('"a.js" expands more than 200 times.')
})

test('an entry that is larger than it says is not read on', async () => {
  const zip = await zipOf(new Map([['a.js', Buffer.alloc(5000, 'ab')]]))
  // The size stands in the local header, which nobody asks, and in the directory.
  const directory = zip.indexOf('PK\u0001\u0002')
  zip.writeUInt32LE(100, directory + 24)
  expect(await refusal(zip)).toMatch(/cannot be read: too many bytes/)
})
