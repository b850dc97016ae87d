import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { exceptionEvent } from './exception.ts'

function values(thrown: unknown, hint = {}) {
  return exceptionEvent(thrown, hint).exception?.values ?? []
}

test('an error is its name, message and frames', () => {
  const [value] = values(new RangeError('too many'))
  expect(value).toMatchObject({
    type: 'RangeError',
    value: 'too many',
    mechanism: { type: 'generic', handled: true },
  })
  expect(value?.stacktrace?.frames?.at(-1)?.filename).toContain('exception.test.ts')
})

test('causes come with an error: the deepest first, the thrown one last', () => {
  const root = new Error('root')
  const middle = new TypeError('middle', { cause: root })
  const chain = values(new Error('top', { cause: middle }))
  expect(chain.map((it) => it.value)).toEqual(['root', 'middle', 'top'])
  expect(chain.map((it) => it.mechanism)).toMatchObject([
    { type: 'chained', source: 'cause', exception_id: 2, parent_id: 1 },
    { type: 'chained', source: 'cause', exception_id: 1, parent_id: 0 },
    { type: 'generic', exception_id: 0 },
  ])
})

test('an AggregateError comes with the errors it holds', () => {
  const group = new AggregateError([new Error('one'), 'no error', new Error('two')], 'both failed')
  const chain = values(group)
  expect(chain.map((it) => it.value)).toEqual(['two', 'one', 'both failed'])
  expect(chain.map((it) => it.mechanism?.source)).toEqual(['errors[2]', 'errors[0]', undefined])
  expect(chain.at(-1)?.mechanism).toMatchObject({ is_exception_group: true })
})

test('at most five linked errors are sent, and cycles end', () => {
  let error = new Error('0')
  for (let index = 1; index <= 9; index += 1) error = new Error(`${index}`, { cause: error })
  expect(values(error).map((it) => it.value)).toEqual(['4', '5', '6', '7', '8', '9'])
  const self = new Error('self')
  self.cause = self
  expect(values(self)).toHaveLength(1)
})

test('errors of another realm are errors', () => {
  const foreign: unknown = runInNewContext('new TypeError("from a frame")')
  expect(foreign).not.toBeInstanceOf(Error)
  expect(values(foreign)).toMatchObject([{ type: 'TypeError', value: 'from a frame' }])
})

test('a DOMException is its name and message', () => {
  expect(values(new DOMException('was aborted', 'AbortError'))).toMatchObject([
    { type: 'AbortError', value: 'was aborted' },
  ])
})

test('an error inside of an event is the error', () => {
  expect(values({ error: new Error('inner') })).toMatchObject([{ value: 'inner' }])
})

test('a thrown value that is not an error is described by its value, kind and keys', () => {
  const rejection = { mechanism: { type: 'onunhandledrejection', handled: false } }
  expect(values('text')).toMatchObject([
    { type: 'Error', value: 'text', mechanism: { synthetic: true } },
  ])
  expect(values(undefined)).toMatchObject([{ value: 'undefined' }])
  expect(values(Symbol('s'), rejection)).toMatchObject([
    {
      type: 'UnhandledRejection',
      value: 'Non-Error promise rejection captured with value: Symbol(s)',
    },
  ])
  expect(values({ b: 1, a: 2 })).toMatchObject([
    { type: 'Error', value: 'Object captured as exception with keys: a, b' },
  ])
  expect(values({ b: 1, a: 2 }, rejection)).toMatchObject([
    { type: 'UnhandledRejection', value: 'Object captured as promise rejection with keys: a, b' },
  ])
  expect(values(new Event('oops'))).toMatchObject([{ type: 'Event' }])
  expect(exceptionEvent({ code: 7 }).extra).toEqual({ __serialized__: { code: 7 } })
})

test('texts inside thrown values are masked, whatever holds them; names, numbers and shapes are kept', () => {
  const user = { name: 'Bob', tags: ['vip', 3], at: new Date(0), paid: true, none: null }
  expect(exceptionEvent({ code: 7, user, run: () => 'Bob' }).extra).toEqual({
    __serialized__: {
      code: 7,
      user: { name: '********', tags: ['********', 3], at: '********', paid: true, none: null },
      run: '********',
    },
  })
})

test('a value without a stack has the synthetic one', () => {
  const [value] = values('text', { syntheticException: new Error('synthetic') })
  expect(value?.stacktrace?.frames?.at(-1)?.filename).toContain('exception.test.ts')
})

test.each([
  [2048, 2048],
  [2049, 2051],
])('S14 the message of an error of %i characters is sent as %i', (length, sent) => {
  expect(values(new Error('e'.repeat(length)))[0]?.value).toHaveLength(sent)
})

test('lines of a message are not frames, even where they look like them (the reference reads them)', () => {
  const error = new Error('failed:\n    at fake (https://evil.test/a.js:1:1)')
  const names = values(error)[0]?.stacktrace?.frames?.map((it) => it.function)
  expect(names).not.toContain('fake')
})

test('a stack is not read where it holds words that the message no longer has', () => {
  const frame = '    at Bob (https://x.test/a.js:1:1)'
  for (const words of [`a\n${frame}\nb`, `a\n${frame}`, 'Bob@x.test:25']) {
    for (const message of ['', 'hidden']) {
      const error = Object.assign(new Error(words), { message })
      expect(JSON.stringify(values(error))).not.toContain('Bob')
      const [value] = values(error, { syntheticException: new Error('here') })
      expect(value?.stacktrace?.frames?.at(-1)?.filename).toContain('exception.test.ts')
    }
  }
})

test('a message that says more than it did keeps its stack', () => {
  const error = new Error('no answer')
  error.message = `The page could not be read: ${error.message}`
  const [value] = values(error)
  expect(value?.stacktrace?.frames?.at(-1)?.filename).toContain('exception.test.ts')
})

test('errors whose members throw are still reported', () => {
  const hostile = new Error('seen')
  for (const name of ['name', 'message', 'stack', 'cause', 'errors', 'framesToPop']) {
    Object.defineProperty(hostile, name, {
      get: () => {
        throw new Error('a getter')
      },
    })
  }
  expect(values(hostile)).toMatchObject([{ type: 'Error', value: 'No error message' }])
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  expect(() => values(revoked.proxy)).not.toThrow()
})
