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
import { captureFeedback } from './feedback.ts'
import { swallowedErrors } from './guard.ts'
import { getScope, withScope } from './scope.ts'
import { dsn, fakeNetwork } from './testing/fake-network.ts'
import { thrownValues } from './thrown-values.ts'
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

test('texts of thrown objects are sent where the page asks for them by name, and nowhere else', async () => {
  for (const [integrations, reason] of [
    [[], '********'],
    [[thrownValues()], 'sold out'],
  ] as const) {
    start({ dsn }, integrations)
    captureException({ code: 7, reason: 'sold out' })
    captureException(new Error('plain'))
    await close(0)
    const sent = JSON.stringify(network.events().slice(-2))
    expect(sent).toContain(`"__serialized__":{"code":7,"reason":"${reason}"}`)
    expect(sent.split('__serialized__')).toHaveLength(2)
  }
})

test('what was set before init holds afterwards', async () => {
  setTag('early', true)
  start({ dsn }, [])
  captureMessage('hello')
  await flush()
  expect(network.events()[0]?.tags).toEqual({ early: true })
  setTag('early', undefined)
})

test('captures answer the id that is sent, and lastEventId repeats it', async () => {
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

test('what is no event is swallowed and counted', () => {
  start({ dsn }, [])
  const before = swallowedErrors().count
  expect(captureEvent(null as never)).toBe('')
  expect(captureFeedback(undefined as never)).toBe('')
  expect(swallowedErrors().count).toBe(before + 2)
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

test('a second init closes the first client', () => {
  const undone: string[] = []
  start({ dsn }, [{ name: 'first', setup: () => [() => undone.push('first')] }])
  const second = start({ dsn }, [])
  expect(undone).toEqual(['first'])
  expect(getClient()).toBe(second)
})

test('integrations are added to the defaults, or made from them', () => {
  const one = { name: 'one' }
  const two = { name: 'two' }
  expect(start({ dsn, integrations: [two] }, [one])?.integrations).toEqual([one, two])
  expect(start({ dsn, integrations: () => [two] }, [one])?.integrations).toEqual([two])
})

test('options that are none at all are swallowed and counted', () => {
  const { count } = swallowedErrors()
  expect(start(undefined as never, [])).toBeNull()
  expect(swallowedErrors().count).toBe(count + 1)
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

test('data of the page is copied, not held', async () => {
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
