import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeJson, decodeJsonObject, parseJson } from './json.ts'
import { jsonDepthMax } from './limits.ts'
import { isRefusal } from './outcome.ts'

const encoder = new TextEncoder()

function nested(depth: number): ReturnType<typeof parseJson> {
  return parseJson('['.repeat(depth) + ']'.repeat(depth))
}

test('JSON is read, also behind a byte order mark', () => {
  expect(decodeJson(encoder.encode('\ufeff{"a":[1,null]}'))).toEqual({ value: { a: [1, null] } })
})

test('numbers that are not finite are null, and words inside texts stay', () => {
  expect(parseJson('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" Infinity","NaN":1}')).toEqual({
    value: { a: null, b: [null, null], c: 'NaN " Infinity', NaN: 1 },
  })
  expect(parseJson(String.raw`["\\",NaN,"\\\"",NaN]`)).toEqual({ value: ['\\', null, '\\"', null] })
})

test('half a surrogate pair becomes a character that every store takes', () => {
  const sent = String.raw`{"a\ud83d":["\udc00x","\ud83d\ude00","\\ud800"],"b":{"c":"x\uDBFF"}}`
  const { value } = parseJson(sent) as { value: unknown }
  expect(value).toEqual({ 'a\ufffd': ['\ufffdx', '😀', '\\ud800'], b: { c: 'x\ufffd' } })
  expect(parseJson(String.raw`{"__proto__":"\ud800"}`)).toEqual({
    value: JSON.parse('{"__proto__":"\ufffd"}') as unknown,
  })
})

test.each(['', 'hello', '{', '[1,]', "{'a':1}", 'NaNs', '"NaN', String.raw`"NaN\"`])(
  '%j is not JSON',
  (text) => {
    expect(parseJson(text)).toMatchObject({ reason: 'invalid_json' })
  },
)

test('bytes that are not UTF-8 are refused', () => {
  expect(decodeJson(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ reason: 'invalid_encoding' })
})

test('an object is asked for, and nothing else will do', () => {
  expect(decodeJsonObject(encoder.encode('{"a":1}'))).toEqual({ a: 1 })
  for (const text of ['[]', 'null', '"a"', '1']) {
    expect(decodeJsonObject(encoder.encode(text))).toMatchObject({ reason: 'invalid_json' })
  }
})

test('nesting has an end', () => {
  expect(isRefusal(nested(jsonDepthMax))).toBe(false)
  expect(nested(jsonDepthMax + 1)).toMatchObject({ reason: 'invalid_json' })
  expect(nested(1_000_000)).toMatchObject({ reason: 'invalid_json' })
})

test('long texts with quotes and escapes are read without an exception', () => {
  const text = `["${'a\\"'.repeat(1_000_000)}",NaN]`
  expect(isRefusal(parseJson(text))).toBe(false)
  expect(parseJson(`"${'\\'.repeat(1_000_001)}NaN`)).toMatchObject({ reason: 'invalid_json' })
})

test('any JSON is read as it was, and any text gives a value or a refusal', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
    }),
  )
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const result = parseJson(`${before}NaN${after}`)
      expect(isRefusal(result) || 'value' in result).toBe(true)
    }),
  )
})
