import { expect, test } from 'vitest'
import { readManifest } from './manifest.ts'

const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'

test('files are read with their headers, in any case', () => {
  const file = {
    type: 'minified_source',
    url: '~/a.js',
    headers: { 'Debug-Id': debugId.toUpperCase(), SourceMap: 'a.js.map' },
  }
  const manifest = { files: { 'files/_/_/a.js': file }, org: 'x', release: '1' }
  expect(readManifest(JSON.stringify(manifest))).toEqual({
    files: [
      {
        path: 'files/_/_/a.js',
        kind: 'minified_source',
        url: '~/a.js',
        debugId,
        sourceMapReference: 'a.js.map',
      },
    ],
    problems: [],
  })
})

test.each([
  { type: 'indexed_ram_bundle', url: '~/a' },
  { type: 'source', url: '' },
  { type: 'source', url: 'x'.repeat(3000) },
  { type: 'source' },
  null,
  [],
  'a',
])('the file %j is left out and told', (file) => {
  const { files, problems } = readManifest(JSON.stringify({ files: { a: file } }))
  expect([files, problems]).toEqual([[], [expect.stringMatching(/^"a" (is not|has no)/)]])
})

test.each([null, 'x', [], { 'debug-id': 5, sourcemap: {} }, { 'debug-id': 'x' }])(
  'the headers %j say nothing',
  (headers) => {
    const files = { a: { type: 'source', url: '~/a', headers } }
    expect(readManifest(JSON.stringify({ files })).files).toMatchObject([
      { debugId: null, sourceMapReference: null },
    ])
  },
)

test.each(['', 'x', 'null', '[]', '{}', '{"files":[]}', '{"files":null}'])(
  'the manifest %j is refused',
  (text) => {
    expect(() => readManifest(text)).toThrow(/^manifest\.json/)
  },
)
