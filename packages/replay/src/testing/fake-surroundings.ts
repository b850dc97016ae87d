import { encodeEnvelope } from '@afterimage/browser/envelope'
import type { OutgoingItem } from '@afterimage/browser/envelope'
import { createScope } from '@afterimage/browser/scope'
import type { Answer } from '@afterimage/browser/transport'
import { sdk } from '@afterimage/browser/version'
import { isRefusal } from '@afterimage/protocol/outcome'
import { splitRecording } from '@afterimage/protocol/replay'
import type { ReplayEventPayload } from '@afterimage/protocol/replay'
import { deflateSync, inflateSync } from 'node:zlib'
import { vi } from 'vitest'
import type { ReplayOptions } from '../options.ts'
import { Recorder } from '../recorder.ts'
import type { EmittedEvent } from '../recording/rrweb.ts'
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

/** A recorder without a page: its document is emitted by the test, its requests are answered by it. */
export function fakeSurroundings(options: ReplayOptions = {}, storage = memoryStorage()) {
  vi.stubGlobal('location', { href: 'https://shop.test/cart' })
  vi.stubGlobal('navigator', { userAgent: 'Test/1' })
  const segments: SentSegment[] = []
  const fake = {
    segments,
    discards: [] as [string, number][],
    states: [] as RecorderState[],
    /** What the next requests get, in order; 200 when there is none. */
    answers: [] as (Partial<Answer> | Promise<Answer>)[],
    requests: 0,
    /** Of each request, as the client writes it. */
    envelopeBytes: [] as number[],
    transport: { isRateLimited: () => fake.isRateLimited, keepaliveLeft: 65_536 },
    isRateLimited: false,
    snapshots: 0,
    /** What is measured when a segment is made. */
    onFlush: undefined as (() => void) | undefined,
    isRecording: false,
    storage,
    recorder: undefined as unknown as Recorder,
    /** A change of the document, of about this many characters. */
    change(n = 0, characters = 0): void {
      const data = { source: 0, n, text: 'x'.repeat(characters) }
      fake.recorder.record({ type: 3, timestamp: Date.now(), data } as EmittedEvent)
    },
    categories: () =>
      segments.flatMap(({ events }) => events.map(({ data }) => data.payload?.category)),
    /** Of the document's changes that were sent. */
    changes: () => segments.flatMap(({ events }) => events.flatMap(({ data }) => data.n ?? [])),
  }
  const snapshot = (): void => {
    fake.snapshots += 1
    emitSnapshot(fake.recorder)
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
        const answer = await (fake.answers.shift() ?? { status: 200 })
        release()
        if (answer.status === 200) segments.push(decode(items))
        return { status: 0, ...answer }
      },
    },
    getScope: () => createScope(),
    storage,
    // Not the browser's own, which works outside of the tests' clock.
    compress: async (texts) => deflateSync(`[${texts}]`),
    dom: {
      start() {
        fake.isRecording = true
        snapshot()
      },
      stop: () => void (fake.isRecording = false),
      checkpoint: snapshot,
      sweep: () => undefined,
    },
    address: () => 'https://shop.test/cart',
    onState: (state) => fake.states.push(state),
    onFlush: () => fake.onFlush?.(),
  })
  return fake
}

function emitSnapshot(recorder: Recorder): void {
  const timestamp = Date.now()
  const data = { href: 'https://shop.test/cart', width: 800, height: 600 }
  recorder.record({ type: 4, timestamp, data } as EmittedEvent)
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

/** Of an envelope, with what the client adds to its header. */
function sizeOf(header: object | undefined, items: readonly OutgoingItem[]): number {
  const whole = { ...header, sent_at: new Date(), sdk, dsn: '' }
  return encodeEnvelope(whole, items).length
}

/** A request takes of what may be kept alive, if it fits; what it returns gives that back. */
function hold(transport: { keepaliveLeft: number }, bytes: number): () => void {
  const held = bytes <= transport.keepaliveLeft ? bytes : 0
  transport.keepaliveLeft -= held
  return () => void (transport.keepaliveLeft += held)
}

/** A tab's storage; `charactersMax` is what it takes. */
export function memoryStorage(charactersMax = Infinity): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > charactersMax) throw new Error('QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage
}
