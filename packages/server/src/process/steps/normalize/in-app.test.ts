import { expect, test } from 'vitest'
import { isLibraryFrame } from './in-app.ts'

test.each([
  ['javascript', 'https://unpkg.com/x.js', true],
  ['javascript', 'https://cdnjs.cloudflare.com/x.js', true],
  ['javascript', 'https://cdn.jsdelivr.net/x.js', true],
  ['javascript', 'https://x.test/esm.run/x.js', true],
  ['javascript', 'https://esm.sh/x.js', true],
  ['javascript', 'https://shop.test/x.js', false],
  ['javascript', 'unpkg.com/x.js', false],
  ['node', 'node:internal/x', true],
  ['node', 'x/node:internal', false],
  ['node', '/srv/node_modules/x.js', true],
  ['node', 'node_modules/x.js', true],
  ['node', 'my_node_modules/x.js', false],
  ['node', '/srv/vendor/x.js', true],
  ['node', '/srv/x.js', false],
  ['node', undefined, false],
  ['python', '/lib/site-packages/x.py', true],
  ['python', '/lib/dist-packages/x.py', true],
  ['python', '/srv/node_modules/x.py', false],
  ['ruby', '/lib/site-packages/x.rb', false],
])('on %s a frame of %s is a library’s: %s', (platform, path, expected) => {
  expect(isLibraryFrame({ platform, path, function: 'f' })).toBe(expected)
  expect(isLibraryFrame({ platform, path, function: undefined })).toBe(expected)
})

test('the insides of Node.js are known by their names', () => {
  const frame = { path: undefined, function: 'processTicksAndRejections' }
  expect(isLibraryFrame({ ...frame, platform: 'node' })).toBe(true)
  expect(isLibraryFrame({ ...frame, platform: 'python' })).toBe(false)
})
