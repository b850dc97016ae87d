import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compileSelectors } from './selectors.ts'

const media = 'img,svg,video,object,picture,embed,map,audio,link[rel*=icon]'
const own = (name: string): string => `.afterimage-${name},[data-afterimage-${name}]`

/** Every selector is valid but this one. */
const invalid = 'a['

function querySelector(selector: string): void {
  if (selector === invalid) throw new SyntaxError(selector)
}

beforeEach(() => {
  vi.stubGlobal('document', { createDocumentFragment: () => ({ querySelector }) })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('without options our own marks count, media are blocked and files ignored', () => {
  expect(compileSelectors({})).toEqual({
    unmask: own('unmask'),
    mask: own('mask'),
    block: `:is(${media},${own('block')})`,
    unblock: '',
    ignore: `${own('ignore')},input[type=file]`,
  })
})

test('selectors of the options are added', () => {
  const options = { unmask: '.a', mask: '.b', block: '.c', ignore: '.d' }
  expect(compileSelectors(options)).toEqual({
    unmask: `${own('unmask')},.a`,
    mask: `${own('mask')},.b`,
    block: `:is(${media},${own('block')},.c)`,
    unblock: '',
    ignore: `${own('ignore')},input[type=file],.d`,
  })
  expect(console.warn).not.toHaveBeenCalled()
})

test('media that may be shown are not blocked', () => {
  expect(compileSelectors({ unblock: '.logo' })).toMatchObject({
    block: `:is(:is(${media}):not(.logo),${own('block')})`,
    unblock: '.logo',
  })
})

test('the `unmask` of the client applies unless the replay has its own', () => {
  expect(compileSelectors({}, '.client').unmask).toBe(`${own('unmask')},.client`)
  expect(compileSelectors({ unmask: '.replay' }, '.client').unmask).toBe(`${own('unmask')},.replay`)
})

test('an invalid `unmask` shows nothing, and any other invalid selector hides everything', () => {
  const options = {
    unmask: invalid,
    unblock: invalid,
    mask: invalid,
    block: invalid,
    ignore: invalid,
  }
  expect(compileSelectors(options)).toEqual({
    unmask: own('unmask'),
    mask: `${own('mask')},*`,
    block: `:is(${media},${own('block')},body)`,
    unblock: '',
    ignore: `${own('ignore')},input[type=file],*`,
  })
  expect(console.warn).toHaveBeenCalledTimes(5)
})
