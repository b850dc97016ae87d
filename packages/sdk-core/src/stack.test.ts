import { expect, test } from 'vitest'
import { parseStack } from './stack.ts'
import { growthOf, linearGrowthMax } from './testing/growth.ts'

function frames(stack: string) {
  return parseStack(stack).map(
    ({ function: name, filename, lineno, colno, in_app: inApp }) =>
      `${name} ${filename} ${lineno ?? '-'}:${colno ?? '-'}${inApp ? '' : ' native'}`,
  )
}

test('Chrome: names, async, new, methods, natives, evaluated code, the oldest first', () => {
  const stack = `TypeError: Cannot read properties of undefined (reading 'total')
    at pay (https://shop.test/_next/static/chunks/app/(shop)/page-1a2b.js:1:2345)
    at async Cart.checkout [as onClick] (https://shop.test/app.js:20:7)
    at new Order (https://shop.test/app.js:8:3)
    at Array.map (<anonymous>)
    at eval (eval at load (https://shop.test/loader.js:5:11), <anonymous>:3:9)
    at async Promise.all (index 0)
    at https://shop.test/npm/package@1.2.3/index.js:7:1
    at https://shop.test/(group)/inline.js:9:2
    at chrome-extension://abcdef/content.js:2:3`
  expect(frames(stack)).toEqual([
    '? chrome-extension://abcdef/content.js 2:3',
    '? https://shop.test/(group)/inline.js 9:2',
    '? https://shop.test/npm/package@1.2.3/index.js 7:1',
    'eval https://shop.test/loader.js 5:11',
    'Array.map <anonymous> -:- native',
    'new Order https://shop.test/app.js 8:3',
    'Cart.checkout [as onClick] https://shop.test/app.js 20:7',
    'pay https://shop.test/_next/static/chunks/app/(shop)/page-1a2b.js 1:2345',
  ])
})

test('Firefox: anonymous, async, evaluated code, packages with an @', () => {
  const stack = `pay@https://shop.test/app.js:10:5
checkout/<@https://shop.test/npm/package@1.2.3/index.js:20:7
async*load@https://shop.test/app.js:3:1
asyncTask@https://shop.test/app.js:4:1
@https://shop.test/app.js:30:1
run@https://shop.test/app.js line 25 > eval:1:9
setTimeout handler*start@https://shop.test/app.js:40:2
`
  expect(frames(stack)).toEqual([
    'setTimeout handler*start https://shop.test/app.js 40:2',
    'run https://shop.test/app.js 25:-',
    '? https://shop.test/app.js 30:1',
    'asyncTask https://shop.test/app.js 4:1',
    'load https://shop.test/app.js 3:1',
    'checkout/< https://shop.test/npm/package@1.2.3/index.js 20:7',
    'pay https://shop.test/app.js 10:5',
  ])
})

test('Safari: natives, global code, lines without a function, extensions', () => {
  const stack = `pay@https://shop.test/app.js:10:5
map@[native code]
async load@https://shop.test/app.js:12:1
global code@https://shop.test/app.js:99:1
https://shop.test/npm/package@1.2.3/index.js:7:1
content@safari-web-extension://ABC-DEF/content.js:1:2
[native code]`
  expect(frames(stack)).toEqual([
    'content safari-web-extension://ABC-DEF/content.js 1:2',
    '? https://shop.test/npm/package@1.2.3/index.js 7:1',
    'global code https://shop.test/app.js 99:1',
    'load https://shop.test/app.js 12:1',
    'map [native code] -:- native',
    'pay https://shop.test/app.js 10:5',
  ])
})

test('a page address in a frame is sent without the values of its query', () => {
  expect(frames('    at go (https://shop.test/reset?token=secret#x:12:3)')).toEqual([
    'go https://shop.test/reset?token=* 12:3',
  ])
})

test('the newest 50 frames are kept', () => {
  const stack = Array.from(
    { length: 60 },
    (_, index) => `f${index}@https://a.test/a.js:${index + 1}:1`,
  )
  const parsed = parseStack(stack.join('\n'))
  expect(parsed).toHaveLength(50)
  expect(parsed.at(-1)?.function).toBe('f0')
  expect(parseStack(stack.join('\n'), 2).at(-1)?.function).toBe('f2')
})

test.each([[''], ['Error: only words'], ['   '], ['at '], ['@'], ['at (']])(
  'there is no frame in %j',
  (stack) => expect(parseStack(stack)).toEqual([]),
)

function line(length: number): string {
  return `f@https://a.test/${'a'.repeat(length - 21)}:1:1`
}

test('lines of 1024 characters are read, longer ones are not', () => {
  expect(line(1024)).toHaveLength(1024)
  expect(parseStack(line(1024))).toHaveLength(1)
  expect(parseStack(line(1025))).toEqual([])
})

test('hostile stacks cost linear time', () => {
  const pieces = [
    'at ',
    '(',
    ')',
    '@',
    ':',
    '1:',
    ' line 1 > ',
    'eval at ',
    'http://',
    ' (',
    'async ',
  ]
  for (const piece of pieces) {
    for (const start of ['at ', 'at eval at (', '', 'https://a.test/']) {
      const stackOf = (length: number) =>
        `${(start + piece.repeat(length)).slice(0, length)}\n`.repeat(200)
      const growth = growthOf(parseStack, stackOf, 1024 / 4)
      expect(growth, JSON.stringify(start + piece)).toBeLessThan(linearGrowthMax)
    }
  }
})
