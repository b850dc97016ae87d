import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { buildScript } from './built-script.fixture.ts'
import { CompiledMaps, compiledMapLimits, type ReadUploads } from './compiled-maps.ts'
import type { CompiledMap } from './compiled-map.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterimage-maps-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  return folder
}

function openMaps(folder: string, limits: Partial<typeof compiledMapLimits> = {}): CompiledMaps {
  const maps = new CompiledMaps(folder, { ...compiledMapLimits, ...limits })
  cleanups.push(() => maps.close())
  return maps
}

/** Uploads of a map whose only source has this path; counts how often they are read. */
function uploads(path: string): ReadUploads & { count: number } {
  const { script, map } = buildScript(undefined, path)
  const read = async () => {
    read.count += 1
    return { map: new Uint8Array(Buffer.from(map)), script: new Uint8Array(Buffer.from(script)) }
  }
  read.count = 0
  return read
}

const firstPath = (map: CompiledMap): string => map.path(0)

test('a map is compiled once, also for several who ask at one time and after a restart', async () => {
  const folder = makeFolder()
  const read = uploads('a.ts')
  const maps = openMaps(folder)
  const answers = await Promise.all([1, 2, 3].map(() => maps.ask('a', read, firstPath)))
  expect(answers).toEqual(['a.ts', 'a.ts', 'a.ts'])
  expect(await openMaps(folder).ask('a', read, firstPath)).toBe('a.ts')
  expect(read.count).toBe(1)
})

test('a damaged or half-written file is compiled again', async () => {
  const folder = makeFolder()
  const read = uploads('a.ts')
  await openMaps(folder).ask('a', read, firstPath)
  const [name = ''] = readdirSync(folder)
  const bytes = readFileSync(join(folder, name))
  writeFileSync(join(folder, name), bytes.subarray(0, bytes.length - 8))
  writeFileSync(join(folder, 'b.v1.new'), bytes)
  expect(await openMaps(folder).ask('a', read, firstPath)).toBe('a.ts')
  expect(read.count).toBe(2)
  expect(readdirSync(folder)).toEqual([name])
})

test('a bad map is refused with a reason, and not read again', async () => {
  let count = 0
  const read: ReadUploads = async () => {
    count += 1
    return { map: Buffer.from('{"version":3}'), script: null }
  }
  const maps = openMaps(makeFolder())
  const refusal = { unusable: 'The map has no mappings.' }
  expect(await maps.ask('a', read, firstPath)).toEqual(refusal)
  expect(await maps.ask('a', read, firstPath)).toEqual(refusal)
  expect(count).toBe(1)
})

test('a map inside of its script is compiled', async () => {
  const { script, map } = buildScript(undefined, 'inline.ts')
  const inline = `${script}//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`
  const read: ReadUploads = async () => ({ map: null, script: Buffer.from(inline) })
  expect(await openMaps(makeFolder()).ask('a', read, firstPath)).toBe('inline.ts')
})

test('the longest unused maps leave a full folder, and few are open at one time', async () => {
  const folder = makeFolder()
  const reads = Array.from({ length: 5 }, (_, number) => uploads(`${number}.ts`))
  const probe = openMaps(makeFolder())
  await probe.ask('0', reads[0]!, firstPath)
  const maps = openMaps(folder, { compiledBytesMax: probe.fileBytes * 3.5, openMapsMax: 2 })
  for (const [number, read] of reads.entries()) {
    expect(await maps.ask(String(number), read, firstPath)).toBe(`${number}.ts`)
  }
  expect(maps.fileBytes).toBeLessThanOrEqual(probe.fileBytes * 3.5)
  expect(readdirSync(folder).toSorted()).toEqual(['2.v1', '3.v1', '4.v1'])
  expect(await maps.ask('2', reads[2]!, firstPath)).toBe('2.ts')
  expect(reads.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1])
})
