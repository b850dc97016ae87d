import { expect, test } from 'vitest'
import { debugIdOf, debugIdOfMap, debugIdOfScript, mapReferenceOfScript } from './debug-ids.ts'

const id = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'
const other = '11111111-3b44-4a0c-b0b5-1d3e8a2f4c11'

test.each([
  [id, id],
  [id.toUpperCase().replaceAll('-', ''), id],
  ['', null],
  [`${id}0`, null],
  ['not-an-id', null],
])('the debug id %s is read as %s', (text, expected) => {
  expect(debugIdOf(text)).toBe(expected)
})

test.each([
  [`a()\n//# debugId=${id}\n//# sourceMappingURL=a.js.map`, id, 'a.js.map'],
  [`a()\n//@ sourceMappingURL=a.js.map\r\n//# debugId=${id}`, id, 'a.js.map'],
  [`//# debugId=${id}`, id, null],
  [`b="//# debugId=${other}"\n//# debugId=${id}\nc="//# debugId=${other}"`, id, null],
  [`a="//# sourceMappingURL=x.map"`, null, null],
  [`"//# debugId=${id}"`, null, null],
  ['a()\n//# sourceMappingURL=data:application/json;base64,e30=', null, null],
  ['', null, null],
])('of the script %j the debug id is %s and the map %s', (script, debugId, reference) => {
  const content = Buffer.from(script)
  expect([debugIdOfScript(content), mapReferenceOfScript(content)]).toEqual([debugId, reference])
})

test.each([
  [{ version: 3, debug_id: id }, id],
  [{ debugId: id, version: 3 }, id],
  [{ sourcesContent: [`{"debug_id":"${other}"}`], debugId: id }, id],
  [{ sourcesContent: [`{"debug_id":"${other}"}`] }, null],
  [{ sections: [{ map: { debugId: other } }] }, null],
  [{ sections: [{ map: { debug_id: other } }], debugId: id }, id],
  [{ debug_id: 7 }, null],
  [{}, null],
])('of the map %j the debug id is %s', (map, expected) => {
  expect(debugIdOfMap(Buffer.from(JSON.stringify(map)))).toBe(expected)
})
