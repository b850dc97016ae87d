import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TraceMap, originalPositionFor, FlattenMap } from '@jridgewell/trace-mapping'
import { afterAll, expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import { DamagedMap, makePages } from './block-file.ts'
import { buildScript, cartSource, placeOf } from './built-script.fixture.ts'
import { compileSourceMap } from './compile.ts'
import { CompiledMap } from './compiled-map.ts'
import { compiledMapLimits } from './compiled-maps.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterimage-compiled-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

function compiledFile(map: string | Uint8Array, script: string | null = null): string {
  const parts = compileSourceMap(Buffer.from(map), script)
  if ('unusable' in parts) throw new Error(parts.unusable)
  files += 1
  const path = join(folder, `${files}.map`)
  writeFileSync(path, Buffer.concat(parts))
  return path
}

function open(path: string): CompiledMap {
  return new CompiledMap(path, makePages(compiledMapLimits.cachedBytesMax))
}

function mapOf(more: object): string {
  return JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA', ...more })
}

test('every position of a minified script has the answer of the reference library', () => {
  const source = Array.from({ length: 300 }, (_, number) =>
    cartSource.replaceAll('Cart', `Cart${number}`).replaceAll('checkout', `checkout${number}`),
  ).join('\n')
  const { script, map } = buildScript(source)
  const reference = new TraceMap(map)
  const compiled = open(compiledFile(map, script))
  const [line = ''] = script.split('\n')
  expect(line.length).toBeGreaterThan(50_000)
  for (let column = 0; column < line.length; column += 29) {
    const expected = originalPositionFor(reference, { line: 1, column })
    const found = compiled.position(0, column)
    expect(found && [found.line + 1, found.column, compiled.name(found.name)]).toEqual(
      expected.source === null ? null : [expected.line, expected.column, expected.name],
    )
  }
  compiled.close()
})

test('maps of other tools have the answers of the reference library, indexed ones too', (context: TestContext) => {
  const shared = sharedFolder('fixtures')
  if (shared === null) return context.skip('not run: the folder of fixtures is absent')
  for (const name of [
    'jquery.min.map',
    'indexed.sourcemap.js',
    'demo.js.map',
    'traceback.min.map',
  ]) {
    const text = readFileSync(join(shared, 'symbolic-sourcemaps', 'sourcemaps', name), 'utf8')
    const reference = FlattenMap(JSON.parse(text) as ConstructorParameters<typeof TraceMap>[0])
    const compiled = open(compiledFile(text))
    let found = 0
    for (let line = 0; line < 8; line += 1) {
      for (let column = 0; column < 3000; column += 41) {
        const expected = originalPositionFor(reference, { line: line + 1, column })
        const position = compiled.position(line, column)
        expect(position?.line ?? null, name).toBe(expected.line === null ? null : expected.line - 1)
        expect(position?.column ?? null, name).toBe(expected.column)
        if (position !== null) found += 1
      }
    }
    expect(found, name).toBeGreaterThan(0)
    compiled.close()
  }
})

test('a position knows the lines around it and the function in the words of the source', () => {
  const { script, map } = buildScript()
  const compiled = open(compiledFile(map, script))
  const place = placeOf(script, 'new RangeError')
  const position = compiled.position(place.line, place.column)!
  expect(compiled.path(position.source)).toBe('src/cart.ts')
  expect(compiled.lines(position.source, position.line, position.line + 1)).toEqual([
    "    if (amount > 100) throw new RangeError('the amount is too large')",
  ])
  expect(compiled.functionAt(place.line, place.column)).toBe('payment')
  const inMethod = placeOf(script, 'new TypeError')
  expect(compiled.functionAt(inMethod.line, inMethod.column)).toBe('Cart.add')
  const inArrow = placeOf(script, '.reduce(')
  expect(compiled.functionAt(inArrow.line, inArrow.column)).toBe('Cart.total')
  expect(compiled.functionAt(9, 0)).toBeNull()
  compiled.close()
})

test('a source without its text, an ignored one and one below a root keep what they have', () => {
  const map = mapOf({
    sources: ['a.js', 'b.js', null, '/c.js', 'webpack:///d.js'],
    sourceRoot: 'root/',
    sourcesContent: ['one\r\ntwo\n', null],
    x_google_ignoreList: [1],
  })
  const compiled = open(compiledFile(map))
  expect([0, 1, 2, 3, 4].map((source) => compiled.path(source))).toEqual([
    'root/a.js',
    'root/b.js',
    '',
    '/c.js',
    'webpack:///d.js',
  ])
  expect(compiled.lines(0, -3, 9)).toEqual(['one', 'two', ''])
  expect([compiled.lineCount(0), compiled.lineCount(1)]).toEqual([3, null])
  expect([compiled.isIgnored(0), compiled.isIgnored(1)]).toEqual([false, true])
  compiled.close()
})

test('mappings to sources that are not there, and behind the end of a line, lead nowhere', () => {
  const compiled = open(compiledFile(mapOf({ mappings: 'AAAA,IAEG;A,IAAA' })))
  expect(compiled.position(0, 1)).toMatchObject({ source: 0, line: 0 })
  expect(compiled.position(0, 4)).toMatchObject({ line: 2 })
  expect(compiled.position(1, 2)).toBeNull()
  expect(compiled.position(7, 0)).toBeNull()
  compiled.close()
})

test('the same bytes give the same file', () => {
  const { script, map } = buildScript()
  expect(readFileSync(compiledFile(map, script))).toEqual(readFileSync(compiledFile(map, script)))
})

test('a file that was cut or changed anywhere is known as damaged', () => {
  const { script, map } = buildScript()
  const whole = readFileSync(compiledFile(map, script))
  const read = (bytes: Uint8Array): void => {
    const path = join(folder, 'damaged.map')
    writeFileSync(path, bytes)
    const compiled = open(path)
    try {
      const place = placeOf(script, 'new RangeError')
      const { source, line } = compiled.position(place.line, place.column)!
      compiled.functionAt(place.line, place.column)
      compiled.lines(source, line, line + 1)
      compiled.path(source)
    } finally {
      compiled.close()
    }
  }
  expect(() => read(whole)).not.toThrow()
  for (const length of [0, 10, whole.length >> 1, whole.length - 1]) {
    expect(() => read(whole.subarray(0, length)), `${length} bytes`).toThrow(DamagedMap)
  }
  let damaged = 0
  for (let at = 0; at < whole.length; at += 5) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 0x10
    try {
      read(changed)
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedMap)
      damaged += 1
    }
  }
  expect(damaged).toBeGreaterThan(whole.length * 0.18)
})
