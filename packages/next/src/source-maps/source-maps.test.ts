import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { debugIdIn, debugIdOf, injectDebugId } from './debug-id.ts'
import { prepareSourceMaps } from './prepare-source-maps.ts'

const debugId = '9cc30f10-cd59-469f-8b53-eceae3717f30'
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterimage-maps-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** A minified script that throws, and its map. */
async function bundled(): Promise<{ readonly code: string; readonly map: string }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `\n\nexport function pay(total) {\n  if (total > 1) {\n    throw new RangeError('too much')\n  }\n}\nglobalThis.pay = pay\n`,
      sourcefile: 'pay.js',
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    sourcemap: 'external',
    outfile: 'pay.min.js',
  })
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { code: `${text('.js')}\n//# sourceMappingURL=other.js.map\n`, map: text('.map') }
}

test('an id is a UUID, of the content and of nothing else', () => {
  expect(debugIdOf('a')).toMatch(uuid)
  expect(debugIdOf('a')).toBe(debugIdOf('a'))
  expect(debugIdOf('a')).not.toBe(debugIdOf('b'))
})

test('the file makes its id known as it runs, and its map still leads to the source', async () => {
  const injected = injectDebugId({ ...(await bundled()), debugId })
  expect(debugIdIn(injected?.code ?? '')).toBe(debugId)
  expect(injected?.code).not.toContain('sourceMappingURL')
  const page: { _afterimageDebugIds?: Record<string, string>; pay?: (total: number) => void } = {}
  runInNewContext(injected?.code ?? '', Object.assign(page, { Error }), { filename: 'pay.min.js' })
  const { _afterimageDebugIds: ids = {} } = page
  const [[stack, id] = []] = Object.entries(ids)
  expect([id, stack?.includes('pay.min.js')]).toEqual([debugId, true])

  let place: RegExpExecArray | null = null
  try {
    page.pay?.(2)
  } catch (error) {
    place = /pay\.min\.js:(\d+):(\d+)/.exec(String((error as Error).stack))
  }
  const map = JSON.parse(injected?.map ?? '') as ConstructorParameters<typeof SourceMap>[0]
  expect(map).toMatchObject({ debug_id: debugId, debugId })
  const entry = new SourceMap(map).findEntry(Number(place?.[1]) - 1, Number(place?.[2]) - 1)
  expect(entry).toMatchObject({ originalLine: 4 })
})

test('maps in sections are moved too', () => {
  const section = { offset: { line: 3, column: 7 }, map: { version: 3, mappings: 'AAAA' } }
  const map = JSON.stringify({ version: 3, sections: [section] })
  const injected = injectDebugId({ code: 'x', map, debugId })
  expect(JSON.parse(injected?.map ?? '')).toMatchObject({
    sections: [{ offset: { line: 4, column: 7 } }],
  })
})

test('a directive and a hashbang stay the first thing', () => {
  const map = '{"version":3,"mappings":"AAAA"}'
  const strict = injectDebugId({ code: '"use strict";\nundeclared = 1', map, debugId })?.code ?? ''
  expect(() => runInNewContext(strict)).toThrow(/undeclared/)
  const sloppy = injectDebugId({ code: 'undeclared = 1', map, debugId })?.code ?? ''
  expect(() => runInNewContext(sloppy)).not.toThrow()
  const script = injectDebugId({ code: '#!/usr/bin/env node\nrun()', map, debugId })?.code ?? ''
  expect(script.startsWith('#!/usr/bin/env node\n!function')).toBe(true)
})

test.each(['', 'no json', 'null', '{}', '{"sections":1}'])(
  'a file that is not a valid map is left alone: %j',
  (map) => {
    expect(injectDebugId({ code: 'x', map, debugId })).toBeNull()
  },
)

test('maps of the browser leave the public folder, those of the server stay', async () => {
  const { code, map } = await bundled()
  write('static/chunks/a.js', code)
  write('static/chunks/other.js.map', map)
  write('static/css/a.css', 'b{}\n/*# sourceMappingURL=a.css.map*/')
  write('static/css/a.css.map', '{}')
  write('static/chunks/polyfill.js', 'without()')
  write('server/chunks/ssr/[root]_1.js', code.replace('other', '%5Broot%5D_1'))
  write('server/chunks/ssr/[root]_1.js.map', map)
  const files = prepareSourceMaps(folder)
  expect(files.map(({ url }) => url)).toEqual([
    '~/_next/static/chunks/a.js',
    'app:///_next/server/chunks/ssr/[root]_1.js',
  ])
  expect(existsSync(join(folder, 'static/chunks/other.js.map'))).toBe(false)
  expect(existsSync(join(folder, 'static/css/a.css.map'))).toBe(false)
  expect(read('static/css/a.css').trim()).toBe('b{}')
  expect(read('static/chunks/a.js')).not.toContain('sourceMappingURL')
  expect(read('static/chunks/polyfill.js')).toBe('without()')
  expect(read('server/chunks/ssr/[root]_1.js')).toContain('sourceMappingURL=%5Broot%5D_1.js.map')
  expect(JSON.parse(read('source-maps/manifest.json'))).toEqual({ files })
  for (const file of files) {
    expect(debugIdIn(read(file.file))).toBe(file.debugId)
    expect(JSON.parse(read(`source-maps/${file.map}`))).toMatchObject({ debugId: file.debugId })
  }
})

test('a build over a build keeps the ids of files that were not made anew', async () => {
  const { code, map } = await bundled()
  write('server/a.js', code)
  write('server/other.js.map', map)
  const [first] = prepareSourceMaps(folder)
  const written = read('server/a.js')
  expect(prepareSourceMaps(folder)).toEqual([first])
  expect(read('server/a.js')).toBe(written)
})

test('public maps stay where they were, with the id', async () => {
  const { code, map } = await bundled()
  write('static/a.js', code)
  write('static/other.js.map', map)
  const [file] = prepareSourceMaps(folder, { isPublic: true, folder: 'maps' })
  expect(JSON.parse(read('static/other.js.map'))).toMatchObject({ debugId: file?.debugId })
  expect(read('static/a.js')).toContain('sourceMappingURL=other.js.map')
})

test('a map is looked for beside its file, and nowhere else', async () => {
  const { code, map } = await bundled()
  write('secret.map', map)
  write('static/a.js', code.replace('other.js.map', '../secret.map'))
  expect(prepareSourceMaps(folder)).toEqual([])
})
