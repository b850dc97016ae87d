import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureMessage,
  captureThrown,
  close,
  flush,
  getClient,
  lastEventId,
  setTag,
  setUser,
  start,
} from './api.ts'
import { swallowedErrors } from './guard.ts'
import { getScope, withScope } from './scope.ts'
import { dsn, fakeNetwork } from './testing/fake-network.ts'
import type { FakeNetwork } from './testing/fake-network.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

test('before init nothing is captured and nothing is thrown', async () => {
  expect(captureException(new Error('early'))).toBe('')
  addBreadcrumb({ message: 'early' })
  expect(await flush()).toBe(true)
  expect(getClient()).toBeNull()
})

test('scope data set before init stays set', async () => {
  setTag('early', true)
  start({ dsn }, [])
  captureMessage('hello')
  await flush()
  expect(network.events()[0]?.tags).toEqual({ early: true })
  setTag('early', undefined)
})

test('captures return the id that is sent, and lastEventId repeats it', async () => {
  start({ dsn }, [])
  const id = captureException(new Error('one'), { tags: { area: 'cart' }, level: 'fatal' })
  expect(lastEventId()).toBe(id)
  await flush()
  expect(network.events()).toMatchObject([
    { event_id: id, tags: { area: 'cart' }, level: 'fatal', platform: 'javascript' },
  ])
})

test('the same object is captured once, also when it is frozen', async () => {
  start({ dsn }, [])
  const error = Object.freeze(new Error('frozen'))
  expect(captureThrown(error)).toBe(captureThrown(error))
  captureThrown('text')
  captureThrown('text')
  await flush()
  expect(network.events()).toHaveLength(3)
})

test('a message has the level of its call, else of its scope, else info', async () => {
  start({ dsn }, [])
  captureMessage('plain')
  withScope((scope) => {
    scope.setLevel('fatal')
    captureMessage('of the scope')
    captureMessage('of the call', 'warning')
  })
  await flush()
  expect(network.events().map((it) => it.level)).toEqual(['info', 'fatal', 'warning'])
})

test('a value that is not an event is swallowed and counted', () => {
  start({ dsn }, [])
  const before = swallowedErrors()
  expect(captureEvent(null as never)).toBe('')
  expect(swallowedErrors()).toBe(before + 1)
})

test('a breadcrumb from within a scope of its own is still there after it', async () => {
  start({ dsn }, [])
  addBreadcrumb({ message: 'before' })
  withScope(() => addBreadcrumb({ message: 'within' }))
  captureMessage('after')
  await flush()
  expect(network.events()[0]?.breadcrumbs?.map((it) => it.message)).toEqual(['before', 'within'])
  getScope().breadcrumbs.length = 0
})

test('the stack of a captured text begins at the caller', async () => {
  start({ dsn }, [])
  captureException('text')
  await flush()
  const frames = network.events()[0]?.exception?.values[0]?.stacktrace?.frames
  expect(frames?.at(-1)?.filename).toContain('api.test.ts')
})

test.each<[engine: string, capture: typeof Error.captureStackTrace | undefined]>([
  ['has no captureStackTrace', undefined],
  [
    'writes the stack of an Error anew when it is read',
    (place, skipped) => void (place instanceof Error || original(place, skipped)),
  ],
])('where the engine %s, too', async (_, capture) => {
  vi.stubGlobal('Error', Object.assign(class extends Error {}, { captureStackTrace: capture }))
  start({ dsn }, [])
  callOfThePage()
  vi.unstubAllGlobals()
  await flush()
  const frames = network.events()[0]?.exception?.values[0]?.stacktrace?.frames
  expect(frames?.at(-1)?.function).toContain('callOfThePage')
})

const { captureStackTrace: original } = Error

function callOfThePage(): void {
  captureException('text')
}

test('a second init closes the first client', () => {
  const undone: string[] = []
  start({ dsn }, [{ name: 'first', setup: () => [() => undone.push('first')] }])
  const second = start({ dsn }, [])
  expect(undone).toEqual(['first'])
  expect(getClient()).toBe(second)
})

test('integrations are added to the defaults, or derived from them', () => {
  const one = { name: 'one' }
  const two = { name: 'two' }
  expect(start({ dsn, integrations: [two] }, [one])?.integrations).toEqual([one, two])
  expect(start({ dsn, integrations: () => [two] }, [one])?.integrations).toEqual([two])
})

test('missing options are swallowed and counted', () => {
  const count = swallowedErrors()
  expect(start(undefined as never, [])).toBeNull()
  expect(swallowedErrors()).toBe(count + 1)
})

test('an integration that fails in its set-up leaves the others alone', () => {
  const seen: string[] = []
  const broken = {
    name: 'broken',
    setup: () => {
      throw new Error('ours')
    },
  }
  start({ dsn }, [broken, { name: 'whole', setup: () => void seen.push('whole') }])
  expect(seen).toEqual(['whole'])
})

test('data of the page is copied, not referenced', async () => {
  start({ dsn }, [])
  const user = { id: 'u-1' }
  setUser(user)
  user.id = 'changed'
  const data = { step: 1 }
  addBreadcrumb({ message: 'crumb', data })
  data.step = 2
  captureMessage('now')
  await flush()
  expect(network.events()[0]).toMatchObject({
    user: { id: 'u-1' },
    breadcrumbs: [{ data: { step: 1 } }],
  })
  setUser(null)
  getScope().breadcrumbs.length = 0
})
