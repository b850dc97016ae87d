import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mappingsMax, sectionDepthMax } from './limits.ts'
import { readSourceMap } from './source-map.ts'

function read(map: unknown) {
  return readSourceMap(Buffer.from(typeof map === 'string' ? map : JSON.stringify(map)))
}

const plain = { version: 3, sources: ['a.js'], names: ['pay'], mappings: 'AAAAA' }

function nested(depth: number): object {
  const map = depth === 0 ? plain : nested(depth - 1)
  return { version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] }
}

test.each([
  ['', 'The map is not a JSON object.'],
  ['[]', 'The map is not a JSON object.'],
  ['{', 'The map is not a JSON object.'],
  [{ ...plain, version: 2 }, 'The map is not of version 3.'],
  [{ ...plain, mappings: [1] }, 'The map has no mappings.'],
  [{ ...plain, sources: 'a.js' }, 'The map has no list of sources.'],
  [{ ...plain, names: {} }, 'The map has no valid list of names.'],
  [{ ...plain, mappings: ','.repeat(mappingsMax) }, 'The map has too many mappings.'],
  [{ version: 3, sections: [{ map: plain }] }, 'A section of the map has no map of its own.'],
  [
    { version: 3, sections: [{ offset: { line: -1, column: 0 }, map: plain }] },
    'A section of the map has no valid offset.',
  ],
  [nested(sectionDepthMax), 'The map has too many sections.'],
])('a map that cannot be used says why (%#)', (map, why) => {
  const result = read(map)
  expect('unusable' in result ? result.unusable : 'usable').toContain(why)
})

test('members of the wrong type are left out, a line before the JSON is skipped', () => {
  const map = { ...plain, sources: [7, 'b.js'], names: [null], sourcesContent: [1, 'text'] }
  expect(read(`)]}'\n${JSON.stringify(map)}`)).toEqual({
    mappings: [[[0, 0, 0, 0, 0]]],
    names: [''],
    sources: [
      { path: '', content: null, isIgnored: false },
      { path: 'b.js', content: 'text', isIgnored: false },
    ],
    scopes: null,
  })
})

function section(line: number, text: string): object {
  return { offset: { line, column: 0 }, map: { ...plain, sourcesContent: [text] } }
}

test('two sections with a source of one name keep both texts', () => {
  const map = read({ version: 3, sections: [section(0, 'one'), section(4, 'two')] })
  expect(map).toMatchObject({ sources: [{ content: 'one' }, { content: 'two' }] })
  expect('mappings' in map && map.mappings[4]).toEqual([[0, 1, 0, 0, 1]])
})

test('whatever JSON is sent, the answer is a map or a reason', () => {
  const hostile = fc.oneof(
    fc.json(),
    fc
      .record({
        version: fc.constant(3),
        mappings: fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9+/,;]{0,60}$/)),
        sources: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
        names: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
        sourcesContent: fc.jsonValue(),
        ignoreList: fc.jsonValue(),
        sourceRoot: fc.jsonValue(),
      })
      .map((map) => JSON.stringify(map)),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      const result = read(text)
      expect('unusable' in result || Array.isArray(result.sources)).toBe(true)
    }),
  )
})
