import { expect, test } from 'vitest'
import { localPath } from './local-path.ts'

test('a path of the console is where its visitor is led', () => {
  for (const path of ['/', '/issues', '/issues/1?query=a%20b&to=//x', '/a//b', '/replays?x=1#y']) {
    expect(localPath(path)).toBe(path)
  }
  expect(localPath('/issues?query=é')).toBe('/issues?query=%C3%A9')
})

test.each([
  'https://evil.example',
  '//evil.example',
  String.raw`/\evil.example`,
  String.raw`\/evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n//evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/x/..//evil.example',
  String.raw`/.\/evil.example`,
  'javascript:alert(1)',
  'issues',
  '//',
  '',
])('%j leads elsewhere or nowhere', (path) => {
  expect(localPath(path)).toBeNull()
})
