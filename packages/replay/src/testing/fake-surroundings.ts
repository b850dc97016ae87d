import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import type { OutgoingItem } from '@afterimage/sdk-core/envelope'
import { createScope } from '@afterimage/sdk-core/scope'
import type { Answer } from '@afterimage/sdk-core/transport'
import { sdk } from '@afterimage/sdk-core/version'
import { isRefusal } from '@afterimage/protocol/outcome'
import { splitRecording } from '@afterimage/protocol/replay'
import type { ReplayEventPayload } from '@afterimage/protocol/replay'
import { deflateSync, inflateSync } from 'node:zlib'
import { vi } from 'vitest'
import type { ReplayOptions } from '../options.ts'
import { Recorder } from '../recorder.ts'
import type { Dom } from '../recording/dom.ts'
import type { RecorderState } from '../state.ts'

/** One event of a decoded segment. */
export interface SentEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: {
    readonly tag?: string
    readonly payload?: { readonly category?: string; readonly data?: Record<string, unknown> }
    readonly n?: number
  }
}

export interface SentSegment {
  readonly description: ReplayEventPayload
  readonly isCompressed: boolean
  readonly events: readonly SentEvent[]
  readonly sentAt: number
}

/** A recorder without a page: the test emits its document's events and answers its requests. */
export function fakeSurroundings(options: ReplayOptions = {}, storage = memoryStorage()) {
  vi.stubGlobal('location', { href: 'https://shop.test/cart' })
  vi.stubGlobal('document', { referrer: '' })
  const network = fakeNetwork()
  const segments: SentSegment[] = []
  const fake = {
    segments,
    discards: [] as [string, number][],
    states: [] as RecorderState[],
    /** Answers to the next requests, in order; 200 after the last one. */
    answers: [] as (Partial<Answer> | Promise<Answer>)[],
    requests: 0,
    /** Size of the envelope of each request. */
    envelopeBytes: [] as number[],
    transport: { isRateLimited: () => fake.isRateLimited, keepaliveLeft: 65_536 },
    isRateLimited: false,
    goOnline: network.go,
    snapshots: 0,
    /** Called when measurements for a segment are due. */
    onFlush: undefined as (() => void) | undefined,
    isRecording: false,
    storage,
    recorder: undefined as unknown as Recorder,
    /** Emits a change of the document, of about this many characters. */
    change(n = 0, characters = 0): void {
      const data = { source: 0, n, text: 'x'.repeat(characters) }
      fake.recorder.record({ type: 3, timestamp: Date.now(), data })
    },
    categories: () =>
      segments.flatMap(({ events }) => events.map(({ data }) => data.payload?.category)),
    /** Returns the changes of the document that were sent. */
    changes: () => segments.flatMap(({ events }) => events.flatMap(({ data }) => data.n ?? [])),
  }
  fake.recorder = new Recorder(options, {
    client: {
      options: { dsn: '', release: 'shop@1' },
      transport: fake.transport,
      discard: (reason, counts) => void fake.discards.push([reason, counts['replay'] ?? 0]),
      async send(items, header) {
        fake.requests += 1
        const bytes = sizeOf(header, items)
        fake.envelopeBytes.push(bytes)
        const release = hold(fake.transport, bytes)
        const answer = await (network.answer() ?? fake.answers.shift() ?? { status: 200 })
        release()
        if (answer.status === 200) segments.push(decode(items))
        return { status: 0, ...answer }
      },
    },
    getScope: () => createScope(),
    storage,
    // Replaces the browser's own, which ignores the tests' clock.
    compress: async (texts) => deflateSync(`[${texts}]`),
    dom: fakeDom(fake),
    address: () => 'https://shop.test/cart',
    onEvent: () => undefined,
    onState: (state) => fake.states.push(state),
    onFlush: () => fake.onFlush?.(),
  })
  return fake
}

/** Fakes the state of the network; offline, requests get no answer. */
function fakeNetwork() {
  const navigator = { userAgent: 'Test/1', onLine: true }
  const page = new EventTarget()
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return {
    go(isOnline: boolean): void {
      navigator.onLine = isOnline
      if (isOnline) page.dispatchEvent(new Event('online'))
    },
    answer: (): Answer | null => (navigator.onLine ? null : { status: 0, reason: 'network_error' }),
  }
}

function fakeDom(fake: { isRecording: boolean; snapshots: number; recorder: Recorder }): Dom {
  const checkpoint = (): void => {
    fake.snapshots += 1
    emitSnapshot(fake.recorder)
  }
  return {
    start() {
      fake.isRecording = true
      checkpoint()
    },
    stop: () => void (fake.isRecording = false),
    checkpoint,
    sweep: () => undefined,
  }
}

function emitSnapshot(recorder: Recorder): void {
  const timestamp = Date.now()
  const data = { href: 'https://shop.test/cart', width: 800, height: 600 }
  recorder.record({ type: 4, timestamp, data })
  recorder.record({ type: 2, timestamp, data: {} })
}

function decode(items: readonly OutgoingItem[]): SentSegment {
  const recording = splitRecording(items[1]!.payload as Uint8Array)
  if (isRefusal(recording)) throw new Error(recording.detail)
  const { body, isCompressed } = recording
  const text = new TextDecoder().decode(isCompressed ? inflateSync(body) : body)
  return {
    description: JSON.parse(items[0]!.payload as string) as ReplayEventPayload,
    isCompressed,
    events: JSON.parse(text) as SentEvent[],
    sentAt: Date.now(),
  }
}

/** Size of an envelope, with the header that the client adds. */
function sizeOf(header: object | undefined, items: readonly OutgoingItem[]): number {
  const whole = { ...header, sent_at: new Date(), sdk, dsn: '' }
  return encodeEnvelope(whole, items).length
}

/** Reserves keep-alive bytes for a request, if it fits; returns a function that releases them. */
function hold(transport: { keepaliveLeft: number }, bytes: number): () => void {
  const held = bytes <= transport.keepaliveLeft ? bytes : 0
  transport.keepaliveLeft -= held
  return () => void (transport.keepaliveLeft += held)
}

/**
 * A tab's storage, with its names as own keys; a value may have at most `charactersMax` characters.
 */
export function memoryStorage(charactersMax = Infinity): Storage {
  const items: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      if (value.length > charactersMax) throw new Error('QuotaExceededError')
      items[key] = value
    },
    removeItem: (key: string) => delete items[key],
  }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(items, name, { value, writable: true, configurable: true })
  }
  return items as unknown as Storage
}
