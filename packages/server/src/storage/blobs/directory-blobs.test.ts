import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blobsContract } from './contract.ts'
import { openDirectoryBlobs } from './directory-blobs.ts'

blobsContract('a directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-blobs-'))
  return {
    open: () => openDirectoryBlobs(folder),
    dispose: () => rm(folder, { recursive: true }),
  }
})

it('leaves no empty folders behind a delete, and no half-written files behind an opening', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-blobs-'))
  const blobs = await openDirectoryBlobs(folder)
  await blobs.put('a/b/c', Buffer.from('x'))
  await blobs.delete('a/b/c')
  expect(await readdir(folder)).toEqual(['=new'])
  await writeFile(join(folder, '=new', 'old'), 'half')
  await writeFile(join(folder, '=new', 'fresh'), 'half')
  await utimes(join(folder, '=new', 'old'), 0, 0)
  await openDirectoryBlobs(folder)
  expect(await readdir(join(folder, '=new'))).toEqual(['fresh'])
  await rm(folder, { recursive: true })
})

it('keeps writing while the folders around it are deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-blobs-'))
  const blobs = await openDirectoryBlobs(folder)
  for (let round = 0; round < 20; round++) {
    await blobs.put(`p/${round}/old`, Buffer.from('x'))
    await Promise.all([
      blobs.delete(`p/${round}/old`),
      blobs.put(`p/${round}/new`, Buffer.from('y')),
    ])
  }
  const keys: string[] = []
  for await (const entry of blobs.list('p/')) keys.push(entry.key)
  expect(keys).toHaveLength(20)
  await rm(folder, { recursive: true })
})
