import type { EventProblem, NormalizedEvent } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { addBags, addErrors, addSdk } from './attributes.ts'

type Header = Parameters<typeof addSdk>[2]

function sdkOf(sdk: unknown, header?: unknown): NormalizedEvent['sdk'] {
  const event = {} as NormalizedEvent
  addSdk(event, { sdk }, header as Header)
  return event.sdk
}

test('everything an SDK says of itself is kept', () => {
  const sdk = {
    name: 'sentry.javascript.react',
    version: '10.1.0',
    integrations: ['A', 'B'],
    packages: [{ name: 'npm:x', version: '1' }],
    settings: { infer_ip: 'auto' },
  }
  expect(sdkOf(sdk)).toEqual(sdk)
  expect(sdkOf({ name: 'x' })).toEqual({ name: 'x', version: '' })
  const loose = {
    integrations: ['A', null, {}],
    packages: [null, 'x', { version: '1' }, { name: 'p' }],
  }
  expect(sdkOf({ name: 'x', ...loose, settings: 'x' })).toEqual({
    name: 'x',
    version: '',
    integrations: ['A'],
    packages: [{ name: 'p', version: '' }],
  })
  expect(sdkOf({ name: 'x', integrations: 'A', packages: {} })).toEqual({ name: 'x', version: '' })
})

test('its lists are bounded', () => {
  const names = Array.from({ length: 101 }, (_, index) => `n${index}`)
  const packages = names.map((name) => ({ name, version: '1' }))
  const sdk = sdkOf({ name: 'x', integrations: names, packages })
  expect(sdk?.integrations).toEqual(names.slice(0, 100))
  expect(sdk?.packages).toEqual(packages.slice(0, 100))
})

test('an event that does not name its SDK has that of its envelope', () => {
  const header = { name: 'h', version: '2' }
  expect(sdkOf(undefined, header)).toEqual(header)
  expect(sdkOf({ name: 'x' }, header)).toEqual({ name: 'x', version: '' })
  for (const nothing of [undefined, null, 'x', {}, { name: '' }]) {
    expect(sdkOf(nothing)).toBeUndefined()
    expect(sdkOf(undefined, nothing)).toBeUndefined()
  }
})

function bagsOf(raw: Record<string, unknown>, type = 'error'): Record<string, unknown> {
  const { type: _, ...bags } = addedTo({ type } as NormalizedEvent, raw)
  return { ...bags }
}

function addedTo(event: NormalizedEvent, raw: Record<string, unknown>): NormalizedEvent {
  addBags(event, raw)
  return event
}

test('the members of free shape are kept', () => {
  const raw = { extra: { a: 1 }, template: { b: 2 }, modules: { m: '1', n: null } }
  const images = [{ type: 'sourcemap' }, null]
  expect(bagsOf({ ...raw, debug_meta: { images } })).toEqual({
    extra: { a: 1 },
    template: { b: 2 },
    modules: { m: '1', n: '' },
    debug_meta: { images: [{ type: 'sourcemap' }] },
  })
  expect(bagsOf({ 'sentry.interfaces.Template': { b: 2 } })).toEqual({ template: { b: 2 } })
  expect(bagsOf({ extra: 'x', template: 7, modules: ['m'], debug_meta: { images: {} } })).toEqual(
    {},
  )
  expect(bagsOf({ debug_meta: 'x' })).toEqual({})
  const many = Array.from({ length: 201 }, (_, index) => ({ index }))
  expect(bagsOf({ debug_meta: { images: many } })).toEqual({
    debug_meta: { images: many.slice(0, 200) },
  })
})

test.each(['csp', 'hpkp', 'expectct', 'expectstaple'])('a report of %s is kept', (type) => {
  expect(bagsOf({ [type]: { a: 1 } }, type)).toEqual({ security: { a: 1 } })
  expect(bagsOf({ 'sentry.interfaces.Csp': { a: 1 } }, type)).toEqual({ security: { a: 1 } })
  expect(bagsOf({ [type]: 'x' }, type)).toEqual({})
  expect(bagsOf({ [type]: { a: 1 } }, 'error')).toEqual({})
})

test('data under the name of another type of event is not a report', () => {
  expect(bagsOf({ transaction: { a: 1 } }, 'transaction')).toEqual({})
})

test('problems that the SDK itself found are kept', () => {
  const problems: EventProblem[] = []
  addErrors(problems, [{ type: 't', name: 'n', value: 7 }, null, 'x', {}])
  expect(problems).toEqual([
    { type: 't', name: 'n', value: '7' },
    { type: 'invalid_data', name: '' },
  ])
  addErrors(problems, 'x')
  addErrors(problems, Array.from({ length: 99 }, () => 'x').concat(['y']))
  expect(problems).toHaveLength(2)
})
