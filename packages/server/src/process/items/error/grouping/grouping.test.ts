import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import { describe, expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../../testing/recorded-items.ts'
import { normalizeEvent } from '../../../steps/normalize/index.ts'
import { groupEvent } from './index.ts'

function read(raw: Record<string, unknown>): NormalizedEvent {
  const envelope = envelopeOf('event', raw)
  const event = normalizeEvent(raw, itemContext(envelope, 0))
  if (isRefusal(event)) throw new Error(event.detail)
  return event
}

function hashOf(raw: Record<string, unknown>): string {
  return groupEvent(read(raw)).hashes[0]
}

function frame(name: string | null, more: Record<string, unknown> = {}) {
  return {
    function: name ?? '?',
    filename: 'https://shop.test/app.js',
    lineno: 10,
    colno: 20,
    in_app: true,
    ...more,
  }
}

function thrown(frames: unknown[], more: Record<string, unknown> = {}) {
  const exception = { type: 'TypeError', value: 'x is not a function', stacktrace: { frames } }
  return { platform: 'javascript', exception: { values: [{ ...exception, ...more }] } }
}

function onServer(filename: string) {
  return {
    ...thrown([frame('pay', { filename })]),
    platform: 'node',
  }
}

function child(id: number, name: string) {
  return {
    type: 'Error',
    value: `part ${id}`,
    stacktrace: { frames: [frame(name)] },
    mechanism: { type: 'chained', exception_id: id, parent_id: 0 },
  }
}

function threads(name: string) {
  return {
    platform: 'java',
    threads: [
      { id: 1, crashed: true, stacktrace: { frames: [frame(name, { module: 'shop.Pay' })] } },
      { id: 2, stacktrace: { frames: [frame('idle')] } },
    ],
  }
}

describe('by stack trace', () => {
  test('the same error twice is one issue, whatever its message says', () => {
    const one = thrown([frame('main'), frame('pay')], { value: 'order 7 failed' })
    const two = thrown([frame('main'), frame('pay')], { value: 'order 8 failed' })
    expect(hashOf(one)).toBe(hashOf(two))
  })

  test('another function or another type is another issue', () => {
    const one = thrown([frame('main'), frame('pay')])
    expect(hashOf(one)).not.toBe(hashOf(thrown([frame('main'), frame('refund')])))
    expect(hashOf(one)).not.toBe(
      hashOf({ ...thrown([frame('main'), frame('pay')], { type: 'RangeError' }) }),
    )
  })

  test('lines, columns, hosts and names of bundles may change with a release', () => {
    const moved = { filename: 'https://cdn.test/app-9f3c.js', lineno: 1, colno: 99_999 }
    expect(hashOf(thrown([frame('main'), frame('pay')]))).toBe(
      hashOf(thrown([frame('main', moved), frame('pay', moved)])),
    )
  })

  test('browsers that name the object a function belongs to agree with those that do not', () => {
    expect(hashOf(thrown([frame('Object.pay')]))).toBe(hashOf(thrown([frame('pay')])))
  })

  test('libraries count only for the second hash', () => {
    const library = { filename: 'https://shop.test/node_modules/react/index.js' }
    const one = groupEvent(read(thrown([frame('render', library), frame('pay')])))
    const two = groupEvent(read(thrown([frame('commit', library), frame('pay')])))
    expect(one.hashes[0]).toBe(two.hashes[0])
    expect(one.hashes[1]).not.toBe(two.hashes[1])
    expect(one.version).toBe('v2')
    expect(one.formerHashes).toEqual([])
    expect(groupEvent(read(thrown([frame('a')])), 'v1').hashes).toEqual(
      groupEvent(read(thrown([frame('a')]))).hashes,
    )
  })

  test('without any frame of the application there is only the hash of all frames', () => {
    const frames = [frame('render', { in_app: false })]
    expect(groupEvent(read(thrown(frames))).hashes).toHaveLength(1)
  })

  test('direct recursion counts once', () => {
    const deep = thrown([frame('main'), frame('walk'), frame('walk'), frame('walk')])
    expect(hashOf(deep)).toBe(hashOf(thrown([frame('main'), frame('walk')])))
  })

  test('the runtime between two calls does not count', () => {
    const ticks = frame('processTicksAndRejections', {
      filename: 'node:internal/process/task_queues',
    })
    const one = { ...thrown([ticks, frame('main')]), platform: 'node' }
    expect(hashOf(one)).toBe(hashOf({ ...thrown([frame('main')]), platform: 'node' }))
  })

  test('a script frame without a name says nothing, so the value does', () => {
    const one = thrown([frame(null)], { value: 'order 7 failed' })
    const two = thrown([frame(null, { lineno: 3 })], { value: 'order 8 failed' })
    expect(hashOf(one)).toBe(hashOf(two))
    expect(hashOf(one)).not.toBe(hashOf(thrown([frame(null)], { value: 'nothing to pay' })))
  })

  test('a file on a server is told by its name, not by its folder', () => {
    expect(hashOf(onServer('/srv/v1/pay.js'))).toBe(hashOf(onServer('/srv/v2/pay.js')))
    expect(hashOf(onServer('/srv/v1/pay.js'))).not.toBe(hashOf(onServer('/srv/v1/cart.js')))
  })
})

describe('by other means', () => {
  test('messages are one issue when only their parameters differ', () => {
    expect(hashOf({ message: 'user 7 is gone' })).toBe(hashOf({ message: 'user 8 is gone' }))
    expect(hashOf({ message: 'user 7 is gone' })).not.toBe(hashOf({ message: 'user 7 is back' }))
    const template = { message: 'user %s is gone', params: ['ada'] }
    expect(hashOf({ logentry: template })).toBe(
      hashOf({ logentry: { ...template, params: ['bob'] } }),
    )
  })

  test('a captured message is told by its text, with the stack of its capture (SDK 11) or without', () => {
    const synthetic = { type: undefined, mechanism: { type: 'generic', synthetic: true } }
    const one = {
      message: 'cart empty',
      ...thrown([frame('log')], { ...synthetic, value: 'cart empty' }),
    }
    const two = {
      message: 'cart full',
      ...thrown([frame('log')], { ...synthetic, value: 'cart full' }),
    }
    expect(hashOf(one)).not.toBe(hashOf(two))
    expect(hashOf(one)).toBe(hashOf({ message: 'cart empty', platform: 'javascript' }))
  })

  test('a cause counts', () => {
    const [main] = thrown([frame('pay')]).exception.values
    const chain = (type: string) => ({
      platform: 'javascript',
      exception: { values: [{ type, value: 'x' }, main] },
    })
    expect(hashOf(chain('DbError'))).not.toBe(hashOf(chain('HttpError')))
    expect(hashOf(chain('DbError'))).not.toBe(hashOf(thrown([frame('pay')])))
  })

  test('a group is told by its distinct children, however many there are', () => {
    const root = {
      type: 'AggregateError',
      value: 'many',
      mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
    }
    const group = (...children: unknown[]) => ({
      platform: 'javascript',
      exception: { values: [...children, root] },
    })
    expect(hashOf(group(child(2, 'a'), child(1, 'a')))).toBe(hashOf(group(child(1, 'a'))))
    expect(hashOf(group(child(2, 'b'), child(1, 'a')))).not.toBe(hashOf(group(child(1, 'a'))))
  })

  test('parts of the application that do not load are one issue', () => {
    const chunk = thrown([frame('a')], { type: 'ChunkLoadError', value: 'Loading chunk 7 failed.' })
    const module = thrown([frame('b')], {
      value: 'Failed to fetch dynamically imported module: https://shop.test/x.js',
    })
    expect(hashOf(chunk)).toBe(hashOf(module))
  })

  test('hydration errors are one issue, minified or not', () => {
    const plain = thrown([frame('a')], {
      type: 'Error',
      value: 'Hydration failed because the initial UI…',
    })
    const short = thrown([frame('b')], {
      type: 'Error',
      value: 'Minified React error #418; visit …',
    })
    expect(hashOf(plain)).toBe(hashOf(short))
    const other = thrown([frame('b')], {
      type: 'Error',
      value: 'Minified React error #31; visit …',
    })
    expect(hashOf(other)).not.toBe(hashOf(short))
  })

  test('an event that says nothing still belongs somewhere', () => {
    expect(hashOf({})).toMatch(/^[0-9a-f]{32}$/)
  })

  test('without an exception, the one crashed thread decides', () => {
    expect(hashOf(threads('pay'))).not.toBe(hashOf(threads('refund')))
  })
})

describe('by fingerprint', () => {
  const error = thrown([frame('pay')])

  test('default alone changes nothing', () => {
    expect(hashOf({ ...error, fingerprint: ['{{ default }}'] })).toBe(hashOf(error))
    expect(hashOf({ ...error, fingerprint: '{{default}}' })).toBe(hashOf(error))
  })

  test('own parts replace everything else', () => {
    const other = thrown([frame('refund')])
    const fingerprint = ['payment', 7]
    expect(hashOf({ ...error, fingerprint })).toBe(
      hashOf({ ...other, fingerprint: ['payment', '7'] }),
    )
  })

  test('default and more divides what default joins', () => {
    const by = (part: string) => hashOf({ ...error, fingerprint: ['{{ default }}', part] })
    expect(by('eu')).not.toBe(by('us'))
    expect(by('eu')).not.toBe(hashOf(error))
  })

  test('variables are filled in', () => {
    const fingerprint = ['{{ transaction }}', '{{ tags.region }}', '{{ error.type }}']
    const by = (transaction: string, region: string) =>
      hashOf({ ...error, fingerprint, transaction, tags: { region } })
    expect(by('/a', 'eu')).toBe(by('/a', 'eu'))
    expect(by('/a', 'eu')).not.toBe(by('/b', 'eu'))
    expect(by('/a', 'eu')).not.toBe(by('/a', 'us'))
    expect(hashOf({ ...error, fingerprint: ['/a', 'eu', 'TypeError'] })).toBe(by('/a', 'eu'))
    expect(hashOf({ ...error, fingerprint: ['{{ level }}', '{{ nothing }}'] })).toBe(
      hashOf({ ...error, fingerprint: ['error', '<no-nothing>'] }),
    )
  })

  test('a checksum is the hash', () => {
    const checksum = 'd41d8cd98f00b204e9800998ecf8427e'
    expect(hashOf({ ...error, checksum })).toBe(checksum)
    expect(hashOf({ ...error, checksum: 'mine' })).toMatch(/^[0-9a-f]{32}$/)
  })
})
