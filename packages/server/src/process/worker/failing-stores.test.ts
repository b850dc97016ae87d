import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import type { Blobs } from '../../storage/blobs/port.ts'
import type { EventStore, ProcessedEnvelope } from '../../storage/events/port.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import type { Lease, QueueReader } from '../../storage/queue/port.ts'
import { DamagedStore } from '../../storage/sqlite-damage.ts'
import type { ProcessItem } from '../items/item.ts'
import { stopped } from './retry.ts'
import type { WorkerSettings } from './settings.ts'
import { startWorker } from './worker.ts'

/** The worker before stores that fail in every way and at every place, each as its test says. */

const machine = vi.hoisted(() => ({ yielded: [] as number[][], onYield: (): unknown => undefined }))
vi.mock('./yielding.ts', () => ({
  Yielding: class {
    async yield(workedMs: number, ageMs: number): Promise<unknown> {
      machine.yielded.push([workedMs, ageMs])
      return machine.onYield()
    }
  },
}))

const failing = new AppError('STORAGE_FAILED', 'The disk is full.')
const mistake = new RangeError('cannot bind this')
const damage = new DamagedStore('events.db')

/** In order: which deliveries were written, were done, or were set aside and why. */
let written: string[]
let asides: [id: string, reason: string][]
let done: string[]
let signals: (AbortSignal | undefined)[]
let logged: [level: string, message: string, details: Record<string, unknown>][]
let stopping: AbortController
let waiting: Lease[]

let append: (envelopes: readonly ProcessedEnvelope[]) => unknown
let put: (key: string) => unknown
let setAside: (lease: Lease) => unknown
let readSettings: () => unknown
let applyOutbox: () => unknown
let take: () => unknown

beforeEach(() => {
  written = []
  asides = []
  done = []
  signals = []
  logged = []
  waiting = []
  stopping = new AbortController()
  append = put = setAside = readSettings = applyOutbox = take = () => undefined
  machine.yielded = []
  machine.onYield = () => undefined
})
afterEach(() => stopping.abort())

const queue: Partial<QueueReader> = {
  async take(_max, _leaseMs, signal) {
    signals.push(signal)
    take()
    if (waiting.length > 0) return waiting.splice(0)
    await new Promise((resolve) => {
      if (signal!.aborted) resolve(null)
      else signal!.addEventListener('abort', resolve)
    })
    return []
  },
  async done(leases) {
    done.push(...leases.map(({ id }) => id))
  },
  async setAside(lease, reason) {
    setAside(lease)
    asides.push([lease.id, reason])
  },
}
const events = {
  async append(envelopes: readonly ProcessedEnvelope[]) {
    append(envelopes)
    written.push(envelopes.map(nameOf).join(' '))
  },
}
const blobs = {
  put: async (key: string) => put(key),
}
const metadata = {
  async all() {
    readSettings()
    return []
  },
}

/** A delivery by its id, with `!` if what is written of it is only that it was refused. */
function nameOf({ deliveryId, items }: ProcessedEnvelope): string {
  return items.some(({ refusal }) => refusal !== null) ? `${deliveryId}!` : deliveryId
}

const processItem: ProcessItem = ({ header, payload }) => {
  const keys = JSON.parse(Buffer.from(payload).toString()) as string[]
  const written = keys.map((key) => ({ key, bytes: payload }))
  return { type: header.type, quantity: 1, rows: [], blobs: written, effects: [], refusal: null }
}

function lease(
  id: string,
  more: { attempts?: number; keys?: string[]; delivery?: object } = {},
): Lease {
  const payload = JSON.stringify(more.keys ?? [])
  const delivery = {
    receivedAt: Date.now(),
    projectId: 7,
    keyId: 'a',
    remoteAddress: null,
    userAgent: null,
    bytes: encodeEnvelope({}, [{ header: { type: 'event' }, payload }]),
    ...more.delivery,
  }
  return { id, attempts: more.attempts ?? 1, delivery }
}

/** Fails so often, then does what the test has set; then again as often as the list says. */
function fails(...failures: (Error | null)[]): () => void {
  return () => {
    const failure = failures.shift()
    if (failure) throw failure
  }
}

function start(settings: Partial<WorkerSettings> = {}): Promise<void> {
  const log = {
    warn: (details: Record<string, unknown>, message: string) =>
      void logged.push(['warn', message, details]),
    error: (details: Record<string, unknown>, message: string) =>
      void logged.push(['error', message, details]),
  }
  return startWorker(
    {
      queue: queue as QueueReader,
      events: events as unknown as EventStore,
      blobs: blobs as unknown as Blobs,
      metadata: metadata as unknown as Metadata,
      processItem,
      applyOutbox: async () => applyOutbox(),
      log: log as unknown as Parameters<typeof startWorker>[0]['log'],
      settings: { retryMsMin: 1, retryMsMax: 5, attemptsMax: 3, ...settings },
    },
    stopping.signal,
  )
}

/** Runs until all that waits is done or set aside. */
async function run(leases: Lease[], settings: Partial<WorkerSettings> = {}): Promise<void> {
  waiting = [...leases]
  const running = start(settings)
  await vi.waitFor(() => expect(done.length + asides.length).toBe(leases.length))
  stopping.abort()
  await running
}

const one = () => [lease('a')]
const three = () => [lease('a'), lease('b'), lease('c')]
/** Each delivery a batch of its own. */
const alone = { batchBytesMax: 1 }
/** A batch of two of these deliveries, so that the third is alone. */
const two = { batchBytesMax: 2 * lease('a').delivery.bytes.length }

test('a batch holds so many bytes and no more; a larger delivery is a batch of its own', async () => {
  const sizes = { a: 40, b: 60, c: 1, d: 150, e: 10 }
  const leases = Object.entries(sizes).map(([id, size]) =>
    lease(id, { delivery: { bytes: Buffer.alloc(size, '\n') } }),
  )
  await run(leases, { batchBytesMax: 100 })
  expect(written).toEqual(['a! b!', 'c!', 'd!', 'e!'])
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('after each batch the machine is left to others, by the work of it and the age of its oldest', async () => {
  const old = { receivedAt: Date.now() - 60_000 }
  append = () => {
    const startedAt = performance.now()
    while (performance.now() - startedAt < 5);
  }
  // Projects come in turn: the oldest of a backlog need not be the first.
  await run([lease('a'), lease('b', { delivery: old })])
  const [[workedMs = 0, ageMs = 0] = []] = machine.yielded
  expect(machine.yielded).toHaveLength(1)
  expect(workedMs).toBeGreaterThanOrEqual(5)
  expect(workedMs).toBeLessThan(60_000)
  expect(ageMs).toBeGreaterThanOrEqual(60_000)
  expect(ageMs).toBeLessThan(120_000)
})

test('a worker that stops while it waits for others begins no other batch', async () => {
  machine.onYield = () => {
    stopping.abort()
    return stopped
  }
  waiting = three()
  await start(alone)
  expect(written).toEqual(['a'])
})

test('a delivery with which the process died is tried so often, then set aside unread', async () => {
  await run([lease('a', { attempts: 3 }), lease('b', { attempts: 4 })])
  expect(written).toEqual(['a b!'])
  expect(done).toEqual(['a'])
  expect(asides).toEqual([['b', expect.stringContaining('died 3 times')]])
})

test('bytes that nothing can read are set aside as a refused envelope', async () => {
  const refused: unknown[] = []
  append = ([envelope]) => refused.push(...envelope!.items)
  // The front door's own report, which it never writes like this.
  await run([lease('a', { delivery: { keyId: '', bytes: Buffer.from('{') } })])
  expect(refused).toMatchObject([{ type: 'envelope', refusal: { reason: 'internal' } }])
  expect(asides).toEqual([['a', expect.stringMatching(/^SyntaxError: /)]])
})

test('blobs are written before their rows, so many at a time', async () => {
  const gates: (() => void)[] = []
  put = (key) => new Promise<void>((resolve) => gates.push(resolve.bind(null, void key)))
  waiting = [lease('a', { keys: ['1', '2'] }), lease('b', { keys: ['3', '4', '5'] })]
  const running = start({ blobWritesMax: 2 })
  for (const count of [2, 2, 1]) {
    await vi.waitFor(() => expect(gates).toHaveLength(count))
    expect(written).toEqual([])
    for (const open of gates.splice(0)) open()
  }
  await vi.waitFor(() => expect(done).toEqual(['a', 'b']))
  stopping.abort()
  await running
})

test.each<[string, () => void]>([
  ['the queue', () => (take = fails(failing, failing))],
  ['the settings', () => (readSettings = fails(failing, failing))],
  ['blobs', () => (put = fails(failing, failing))],
  ['events', () => (append = fails(failing, failing))],
])('%s that fail are tried again, and each failure is logged', async (_, arrange) => {
  arrange()
  await run([lease('a', { keys: ['1'] }), lease('b')])
  expect([written, done, asides]).toEqual([['a b'], ['a', 'b'], []])
  expect(logged).toMatchObject([
    ['warn', expect.any(String), { err: failing, nextTryMs: 1, what: expect.any(String) }],
    ['warn', expect.any(String), { err: failing, nextTryMs: 2 }],
  ])
})

test.each<[string, () => void]>([
  ['the queue', () => (take = fails(damage))],
  ['the settings', () => (readSettings = fails(damage))],
  ['events', () => (append = fails(damage))],
  ['events, at a second try', () => (append = fails(mistake, damage))],
  ['events, when outcomes are counted', () => (append = fails(mistake, mistake, mistake, damage))],
  ['metadata', () => (applyOutbox = fails(damage))],
  ['metadata, after a batch', () => (applyOutbox = fails(null, damage))],
])('damage to %s ends the worker, and nothing is done or set aside', async (_, arrange) => {
  arrange()
  waiting = one()
  await expect(start()).rejects.toBe(damage)
  expect([done, asides]).toEqual([[], []])
})

test('a delivery that the stores take only at a later try is not set aside', async () => {
  append = fails(mistake, mistake, null)
  await run([lease('a'), lease('b')], alone)
  expect([written, done, asides]).toEqual([['a', 'b'], ['a', 'b'], []])
})

test('one that they take at no try is set aside with the last reason, its outcomes counted', async () => {
  let tries = 0
  append = ([envelope]) => {
    tries += 1
    if (nameOf(envelope!) === 'a') throw new RangeError(`try ${tries} ${'x'.repeat(1000)}`)
  }
  await run(one())
  expect([written, done, tries]).toEqual([['a!'], [], 4])
  expect(asides).toEqual([['a', `RangeError: try 3 ${'x'.repeat(482)}`]])
  // The reason may quote the delivery: the log names it alone.
  expect(logged).toEqual([['error', expect.any(String), { deliveryId: 'a' }]])
})

test('one of which not even the outcomes can be counted is kept aside all the same', async () => {
  append = fails(mistake, mistake, mistake, mistake)
  setAside = fails(failing)
  await run([lease('a'), lease('b')], alone)
  expect([written, done]).toEqual([['b'], ['b']])
  expect(asides).toEqual([['a', 'RangeError: cannot bind this']])
  expect(logged.map(([level, , details]) => [level, details['err']])).toEqual([
    ['error', mistake],
    ['warn', failing],
  ])
})

test('one among others is found, and the others are written one by one', async () => {
  append = (envelopes) => {
    if (envelopes.some((envelope) => nameOf(envelope) === 'b')) throw mistake
  }
  await run(three(), two)
  expect(written).toEqual(['a', 'b!', 'c'])
  expect([done, asides.map(([id]) => id)]).toEqual([['a', 'c'], ['b']])
})

test.each<[string, (fail: () => never) => void, object, string[]]>([
  ['takes', (fail) => (take = fail), alone, []],
  ['reads settings', (fail) => (readSettings = fail), alone, []],
  ['stores a batch', (fail) => (append = fail), alone, []],
  [
    'stores one that failed in its batch',
    (fail) => (append = ([, second]) => (second ? mistaken() : fail())),
    two,
    [],
  ],
  ['tries one again', (fail) => (append = then(fail, 1)), alone, []],
  ['counts outcomes', (fail) => (append = then(fail, 3)), alone, []],
  [
    'sets one aside',
    (fail) => {
      append = then(() => undefined, 4)
      setAside = fail
    },
    alone,
    [],
  ],
])(
  'a worker that stops while it %s again and again leaves the rest for later',
  async (_, arrange, settings, expected) => {
    let failures = 0
    arrange(() => {
      failures += 1
      if (failures === 3) stopping.abort()
      throw failing
    })
    waiting = three()
    await start(settings)
    expect(failures).toBe(3)
    expect(written).toEqual(expected)
    expect([done, asides]).toEqual([[], []])
  },
)

function mistaken(): never {
  throw mistake
}

/** Makes mistakes so often, and then does what it is given. */
function then(action: () => unknown, mistakes: number): () => unknown {
  let left = mistakes
  return () => {
    if (left === 0) return action()
    left -= 1
    throw mistake
  }
}

test('metadata that failed is tried again without a delivery, until it succeeds', async () => {
  let tries = 0
  applyOutbox = () => {
    tries += 1
    if (tries < 3) throw failing
  }
  const running = start()
  await vi.waitFor(() => expect(signals.at(-1)).toBe(stopping.signal))
  expect(tries).toBe(3)
  expect(signals.slice(0, -1)).not.toContain(stopping.signal)
  expect(logged.map(([level, , { err }]) => [level, err])).toEqual([
    ['error', failing],
    ['error', failing],
  ])
  stopping.abort()
  await running
})

test('while metadata fails a worker still stops at once', async () => {
  applyOutbox = mistaken
  const running = start({ retryMsMax: 3_600_000 })
  await vi.waitFor(() => expect(signals).toHaveLength(1))
  stopping.abort()
  await running
  expect(written).toEqual([])
})
