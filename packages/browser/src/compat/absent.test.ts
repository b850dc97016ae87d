import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { breadcrumbsIntegration, contextLinesIntegration, lazyLoadIntegration } from './index.ts'

const warned = vi.fn<(text: string) => void>()

beforeEach(() => {
  warned.mockClear()
  vi.spyOn(console, 'warn').mockImplementation(warned)
})

afterEach(() => void vi.restoreAllMocks())

test('a name without a counterpart warns once, and does nothing', () => {
  expect(lazyLoadIntegration('a')).toBe(undefined)
  expect(lazyLoadIntegration()).toBe(undefined)
  expect(contextLinesIntegration()).toEqual({ name: 'ContextLines' })
  expect(warned.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('lazyLoadIntegration has no effect here'),
    expect.stringContaining('ContextLines has no effect here'),
  ])
})

test('a part that is always included warns of options only', () => {
  breadcrumbsIntegration()
  expect(warned).not.toHaveBeenCalled()
  breadcrumbsIntegration({ console: false })
  expect(warned).toHaveBeenCalledOnce()
})
