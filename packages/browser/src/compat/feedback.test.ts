import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportOptions, widgetOptions } from './feedback.ts'

const warned = vi.fn<(text: string) => void>()

beforeEach(() => {
  warned.mockClear()
  vi.spyOn(console, 'warn').mockImplementation(warned)
})

afterEach(() => void vi.restoreAllMocks())

test('the widget without options asks for name and address, and has its own texts', () => {
  expect(widgetOptions({})).toEqual({
    button: true,
    name: 'optional',
    email: 'optional',
    onSubmit: expect.any(Function),
  })
})

test('fields, texts, theme and callbacks of the widget have their counterparts', () => {
  const onSubmitSuccess = vi.fn<() => void>()
  const onSubmitError = vi.fn<() => void>()
  const options = widgetOptions({
    autoInject: false,
    colorScheme: 'dark',
    showName: false,
    isEmailRequired: true,
    formTitle: 'Fehler melden',
    cancelButtonLabel: 'Abbrechen',
    onSubmitSuccess,
    onSubmitError,
  })
  expect(options).toMatchObject({
    button: false,
    theme: 'dark',
    name: 'hidden',
    email: 'required',
    texts: { title: 'Fehler melden', cancel: 'Abbrechen', close: 'Abbrechen' },
  })
  for (const fate of ['sent', 'waiting', 'failed'] as const) options.onSubmit?.(fate)
  expect(onSubmitSuccess).toHaveBeenCalledTimes(2)
  expect(onSubmitError).toHaveBeenCalledOnce()
  expect(warned).not.toHaveBeenCalled()
})

test('the report dialog requires name and address, and keeps its event and texts', () => {
  const user = { name: 'Ada' }
  const given = { eventId: 'e1', user, subtitle: 'Sorry.', subtitle2: 'Tell us.' }
  expect(reportOptions(given)).toEqual({
    eventId: 'e1',
    user,
    name: 'required',
    email: 'required',
    texts: { introduction: 'Sorry. Tell us.' },
  })
})

test('options without a counterpart warn', () => {
  widgetOptions({ enableScreenshot: true })
  reportOptions({ lang: 'de' })
  expect(warned.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('the option enableScreenshot of feedbackIntegration'),
    expect.stringContaining('the option lang of showReportDialog'),
  ])
})
