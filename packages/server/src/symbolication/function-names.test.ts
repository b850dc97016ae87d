import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { placeOf } from './built-script.fixture.ts'
import { readFunctionNames } from './function-names.ts'
import { readSourceMap } from './source-map.ts'
import { SourceTexts } from './source-texts.ts'

/** Names the function around the text `HERE` of a source, after it was minified. */
function nameAt(source: string, script?: string): string | null {
  const { code, map } = transformSync(source, { minify: true, sourcemap: true })
  const read = readSourceMap(Buffer.from(map))
  if ('unusable' in read) throw new Error(read.unusable)
  const place = placeOf(script ?? code, 'HERE')
  const rows = readFunctionNames(read, new SourceTexts(read.sources), script ?? code)
  const before = rows.findLast(
    ({ line, column }) => line < place.line || (line === place.line && column <= place.column),
  )
  return before?.name ?? null
}

test.each([
  ['function pay() { HERE() } use(pay)', 'pay'],
  ['export const f = { pay() { HERE() } }', 'pay'],
  ['export const f = { "pay now": () => HERE() }', 'pay now'],
  ['{ const pay = () => { HERE() }; use(pay, pay) }', 'pay'],
  ['{ let pay; pay = async function () { HERE() }; use(pay, pay) }', 'pay'],
  ['a.prototype.pay = function () { HERE() }', 'a.pay'],
  ['exports.pay = function () { HERE() }', 'pay'],
  ['{ class Cart { constructor() { HERE() } } use(Cart, Cart) }', 'new Cart'],
  ['{ class Cart { static pay() { HERE() } } use(Cart, Cart) }', 'Cart.pay'],
  ['{ class Cart { #pay() { HERE() } go() { this.#pay() } } use(Cart, Cart) }', 'Cart.#pay'],
  ['{ class Cart { pay = () => HERE() } use(Cart, Cart) }', 'Cart.pay'],
  ['{ const Cart = class { pay() { HERE() } }; use(Cart, Cart) }', 'Cart.pay'],
  ['use(function tick() { HERE() })', 'tick'],
  ['use(() => { HERE() })', null],
  ['function pay() { use(() => 1); HERE() } use(pay)', 'pay'],
  ['function pay() { use(() => HERE()) } use(pay)', null],
  ['function pay() {} HERE()', null],
  ['export default function pay() { HERE() }', 'pay'],
])('%s names its function %j', (source, name) => {
  expect(nameAt(source)).toBe(name)
})

test('a script that is not JavaScript, or is missing, has no names', () => {
  expect(nameAt('function pay() {}', 'HERE <html>')).toBeNull()
  const map = { mappings: [], names: [], sources: [], scopes: null }
  expect(readFunctionNames(map, new SourceTexts([]), null)).toEqual([])
})

test('an expression of two thousand parts is walked', () => {
  const long = Array.from({ length: 2000 }, (_, number) => `a${number}`).join('+')
  expect(nameAt('function pay(){}', `use(${long});var f=function(){HERE()}`)).toBe('f')
})
