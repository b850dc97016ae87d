import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { breadcrumbsIntegration, feedbackIntegration, showReportDialog } from './index.ts'

const warned = vi.fn<(text: string) => void>()

beforeEach(() => {
  warned.mockClear()
  vi.spyOn(console, 'warn').mockImplementation(warned)
})

afterEach(() => void vi.restoreAllMocks())

test('a name without a counterpart warns once, and does nothing', () => {
  expect(showReportDialog({ eventId: 'a' })).toBe(undefined)
  expect(showReportDialog()).toBe(undefined)
  expect(feedbackIntegration()).toEqual({ name: 'Feedback' })
  expect(warned.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('showReportDialog has no effect here'),
    expect.stringContaining('Feedback has no effect here'),
  ])
})

test('a part that is always included warns of options only', () => {
  breadcrumbsIntegration()
  expect(warned).not.toHaveBeenCalled()
  breadcrumbsIntegration({ console: false })
  expect(warned).toHaveBeenCalledOnce()
})
