import { expect, test } from 'vitest'
import { mapUrlOf, urlCandidates } from './artifact-urls.ts'

test.each([
  ['https://a.example/js/a.js', ['https://a.example/js/a.js', '~/js/a.js']],
  [
    'https://a.example/a.js?v=1#x',
    ['https://a.example/a.js?v=1', 'https://a.example/a.js', '~/a.js?v=1', '~/a.js'],
  ],
  ['app:///_next/a.js', ['app:///_next/a.js', '~/_next/a.js']],
  ['file:///srv/a.js', ['file:///srv/a.js', '~/srv/a.js']],
  ['/srv/dist/a.js', ['/srv/dist/a.js', '~/srv/dist/a.js']],
  ['a.js', ['a.js', '~/a.js']],
  ['~/a.js', ['~/a.js']],
])('a file at %s may have been uploaded as one of %j', (address, candidates) => {
  expect(urlCandidates(address)).toEqual(candidates)
})

test.each([
  ['~/js/a.js', 'a.js.map', '~/js/a.js.map'],
  ['~/js/a.js', '../maps/a.map', '~/maps/a.map'],
  ['~/js/a.js', '/maps/a.map', '~/maps/a.map'],
  ['~/js/a b.js', 'a b.js.map', '~/js/a b.js.map'],
  ['https://h.example/a.js', 'a.js.map', 'https://h.example/a.js.map'],
  ['~/a.js', 'https://cdn.example/a.map', 'https://cdn.example/a.map'],
  ['~/[id].js', '[id].js.map', '~/[id].js.map'],
  ['~/a.js', 'data:application/json;base64,e30=', null],
  ['~/a.js', '', null],
  ['a.js', 'a.js.map', null],
])('the map of %s at %s is %s', (script, reference, url) => {
  expect(mapUrlOf(script, reference)).toBe(url)
})
