import { guard } from '@afterimage/sdk-core/guard'
import type { Scope } from '@afterimage/sdk-core/scope'
import { EventBuffer } from './buffer.ts'
import type { Generation } from './buffer.ts'
import { saveCarry, takeCarry } from './carry.ts'
import type { Compress } from './compress.ts'
import { createDebounce } from './debounce.ts'
import type { CustomEvent, ReplayOptions } from './options.ts'
import {
  bufferCharactersMax,
  checkpointMs,
  flushDelayMaxMs,
  flushDelayMs,
  idlePauseMs,
  mutationsMax,
  mutationsNotable,
  replayMinMs,
} from './limits.ts'
import { Outbox } from './outbox.ts'
import type { SendingClient } from './outbox.ts'
import type { Dom } from './recording/dom.ts'
import * as kinds from './recording/kinds.ts'
import type { EmittedEvent } from './recording/rrweb.ts'
import { createSession, isOver, isSent, loadSession, saveSession } from './session.ts'
import type { Session } from './session.ts'
import { isSending, notStarted, transition } from './state.ts'
import type { Mode, RecorderState, Signal, StopReason } from './state.ts'
import { createThrottle } from './throttle.ts'

/** The parts that a recorder works with. */
export interface Surroundings {
  readonly client: SendingClient
  readonly getScope: () => Scope
  /** The tab's own storage; null where the page may not use it. */
  readonly storage: Storage | null
  readonly compress: Compress
  readonly dom: Dom
  /** Returns the page's address as it may be recorded. */
  readonly address: () => string
  /** Called on each change of state. */
  readonly onState: (state: RecorderState) => void
  /** Called with each event of the document, before it is kept. */
  readonly onEvent: (event: EmittedEvent) => void
  /** Called before a segment is made, to add measurements to it. */
  readonly onFlush: () => void
}

/**
 * Activity of a person: all kinds but keys wake a paused recorder. @see docs/specification.md#s20
 */
export type Activity = 'click' | 'input' | 'navigation' | 'key'

/** Records the page, through the states of `state.ts`. */
export class Recorder {
  #state: RecorderState = notStarted
  #session: Session | null = null
  /** Belongs to the session that runs, or ran last. */
  outbox: Outbox | null = null
  /** An error or feedback of this replay that was sent and has no answer yet. */
  unanswered: string | undefined
  readonly #options: ReplayOptions
  readonly #around: Surroundings
  readonly #buffer: EventBuffer
  readonly #flush = createDebounce(() => this.#flushNow(), flushDelayMs, flushDelayMaxMs)
  readonly #mayAdd = createThrottle(() => this.#addBreadcrumb('replay.throttled', { metric: true }))
  #checkpointAt = 0
  /** Set after an overflow in buffer mode: nothing can be drawn until the next checkpoint. */
  #isIgnoring = false

  constructor(options: ReplayOptions, around: Surroundings) {
    this.#options = options
    this.#around = around
    this.#buffer = new EventBuffer(around.compress)
  }

  get state(): RecorderState {
    return this.#state
  }

  /** Null unless it is running. */
  get replayId(): string | null {
    return this.#state.name === 'running' ? this.#session!.id : null
  }

  get #isSession(): boolean {
    return isSending(this.#state)
  }

  /** Continues the tab's session, or rolls for a new one. @see docs/specification.md#s16 */
  begin(): void {
    const { isSticky, sessionSampleRate = 0.1, onErrorSampleRate = 1 } = this.#options
    const known = isSticky === false ? null : this.#known()
    this.#run(known ?? createSession(sessionSampleRate, onErrorSampleRate))
  }

  /** Starts whatever the rates are. A session that is not over continues. */
  start(mode: Mode = 'session'): void {
    const isSession = mode === 'session'
    if (this.replayId) return isSession ? this.convert() : undefined
    const known = this.#known()
    const isUsable = known?.sampled && isSent(known) === isSession
    this.#run(isUsable ? known : createSession(isSession ? 1 : 0, 1))
  }

  /** Stops. In session mode the recorded events are still sent, unless `isFlushed` is false. */
  stop(reason: StopReason = 'manual', isFlushed = true): void {
    const { storage } = this.#around
    const isShipped = this.#isSession && isFlushed && this.#isLongEnough
    // The state changes first: measurements for the last segment would find the session over again.
    if (!this.#go({ type: 'stop', reason })) return
    if (isShipped) this.#ship(true)
    this.#rest()
    saveSession(storage, null)
    takeCarry(storage, null)
  }

  /** Turns buffer mode into session mode: everything kept is sent, and so are later events. */
  convert(): void {
    if (!this.#go({ type: 'convert' })) return
    const session = this.#session!
    session.startedAt = this.#buffer.startedAt ?? session.startedAt
    session.isConverted = true
    session.lastActivityAt = Date.now()
    this.#save()
    this.#flushNow()
  }

  /** Notes that the page is in use. */
  activity(kind: Activity): void {
    const now = Date.now()
    if (!this.replayId || this.#hasExpired(now)) return
    this.#session!.lastActivityAt = now
    this.#save()
    if (kind !== 'key' && this.#go({ type: 'resume' })) this.#around.dom.start()
  }

  /** Keeps an event of the document, already masked. */
  record(event: EmittedEvent): void {
    const now = Date.now()
    if (!this.replayId) return
    if (event.type === kinds.meta) {
      this.#checkpointAt = now
      if (!this.#isSession) {
        this.#isIgnoring = false
        this.#buffer.checkpoint(now)
      }
    }
    if (!this.#isAwake(now)) return
    this.#around.onEvent(event)
    this.#keep(event)
    if (event.type === kinds.meta) this.#describeOptions(now)
    const isDue = now - this.#checkpointAt > checkpointMs
    if (isDue && !this.#isSession) this.#around.dom.checkpoint()
  }

  /**
   * Adds a custom event. Those over the limit are dropped, and the recording says so. @see
   * docs/specification.md#s26
   */
  addCustom(
    tag: 'breadcrumb' | 'performanceSpan' | 'media',
    payload: CustomEvent['data']['payload'],
    atMs = Date.now(),
  ): void {
    const now = Date.now()
    if (!this.replayId || !this.#isAwake(now) || !this.#mayAdd(now)) return
    const { beforeAdd = (it: CustomEvent) => it } = this.#options
    // A hook that throws drops the event, which may hold something private.
    const kept = guard(() => beforeAdd(customEvent(tag, payload, atMs)), null)
    if (kept) this.#keep(kept)
  }

  addBreadcrumb(category: string, more?: object, atMs = Date.now()): void {
    this.addCustom('breadcrumb', breadcrumb(category, more, atMs), atMs)
  }

  addUrl(url: string): void {
    this.#buffer.addUrl(url)
  }

  /**
   * Decides about mutations before they are processed. False ends the recording.
   * @see docs/specification.md#s22
   */
  mutations(count: number): boolean {
    const { mutationsMax: max = mutationsMax, mutationsNotable: notable = mutationsNotable } =
      this.#options
    const isOver = max > 0 && count > max
    if (count > notable || isOver) {
      this.#addBreadcrumb('replay.mutations', { count, limit: isOver })
    }
    if (isOver) this.stop('mutationLimit')
    return !isOver
  }

  /** Sends what is kept now, as far as a page that may be leaving can. */
  hide(): void {
    if (!this.#isSession) return
    this.#flush.cancel()
    if (!this.#isLongEnough) return this.#flush.schedule()
    this.#ship(false)
    this.outbox?.hide()
    this.#save()
  }

  /** Hands what is kept, or could not be sent, to the next page of this tab. */
  leave(): void {
    if (!this.replayId) return
    const session = this.#session!
    if (this.unanswered) {
      // The answer will come too late for this page.
      this.outbox?.note('errorIds', this.unanswered)
      this.convert()
    }
    this.hide()
    this.#buffer.seal(false)
    const { startedAt } = session
    const generations: Generation[] = this.#isSession
      ? [{ startedAt, chunks: this.outbox!.takeUnsent(this.#buffer.takeAll(false)) }]
      : this.#buffer.generations
    saveCarry(this.#around.storage, session.id, generations)
    this.#save()
    this.#go({ type: 'stop', reason: 'pageLeft' })
    this.#rest()
  }

  /** Continues when the page is shown again; another page may have sent its carry-over since. */
  comeBack(): void {
    if ((this.#state as { reason?: StopReason }).reason === 'pageLeft') this.begin()
  }

  /** Stops recording and drops everything kept. */
  #rest(): void {
    this.#around.dom.stop()
    this.#flush.cancel()
    this.#buffer.clear()
  }

  /** Returns the tab's session, unless it is over. */
  #known(): Session | null {
    const known = loadSession(this.#around.storage)
    return known && !isOver(known, Date.now(), this.#options.maxMs) ? known : null
  }

  #run(session: Session): void {
    const { client, getScope, storage, dom } = this.#around
    const mode = isSent(session) ? 'session' : 'buffer'
    this.#session = session
    this.unanswered = undefined
    this.#save()
    if (!session.sampled || !this.#go({ type: 'start', mode })) return
    const outbox = new Outbox(client, getScope, session, (reason) => {
      if (this.outbox === outbox) this.stop(reason, false)
    })
    this.outbox = outbox
    this.#isIgnoring = false
    const carry = takeCarry(storage, session.id)
    if (carry) {
      this.#buffer.takeOver(carry.generations)
      if (mode === 'session') outbox.push(this.#buffer.takeAll())
      if (carry.lost) client.discard('buffer_overflow', { replay: carry.lost })
    }
    this.#buffer.addUrl(this.#around.address())
    dom.start()
    if (carry?.lost) {
      this.#addBreadcrumb('replay.cut', { ...carry.cut, segments: carry.lost })
    }
  }

  /** Records the options, once per replay. */
  #describeOptions(now: number): void {
    if (this.#session!.segmentId) return
    const { sessionSampleRate = 0.1, onErrorSampleRate = 1, network } = this.#options
    const payload = {
      sessionSampleRate,
      errorSampleRate: onErrorSampleRate,
      useCompression: true,
      blockAllMedia: true,
      maskAllText: true,
      maskAllInputs: true,
      networkDetailHasUrls: !!network?.allow.length,
      networkCaptureBodies: network?.hasBodies !== false,
    }
    this.#keep(customEvent('options', payload, now))
  }

  /**
   * Says whether events are recorded: the session is not over, and the page is in use.
   * @see docs/specification.md#s20
   */
  #isAwake(now: number): boolean {
    if (this.#hasExpired(now) || (this.#state as { isPaused?: boolean }).isPaused) return false
    if (!this.#isSession || now - this.#session!.lastActivityAt < idlePauseMs) return true
    this.#go({ type: 'pause' })
    this.#around.dom.stop()
    return false
  }

  /** Ends a session that is over, and begins the next one. */
  #hasExpired(now: number): boolean {
    if (!isOver(this.#session!, now, this.#options.maxMs)) return false
    this.stop('sessionExpired')
    this.begin()
    return true
  }

  #keep(event: { readonly type: number; readonly timestamp: number }): void {
    if (this.#isIgnoring) return
    this.#buffer.add(event, this.#isSession)
    if (this.#isSession) this.#flush.schedule()
    while (this.#buffer.characters + this.outbox!.characters > bufferCharactersMax) {
      if (!this.#isSession && this.#buffer.dropOldest()) continue
      this.#around.client.discard('buffer_overflow', { replay: 1 })
      if (this.#isSession) return this.stop('bufferOverflow', false)
      this.#buffer.clear()
      this.#isIgnoring = true
    }
  }

  #addBreadcrumb(category: string, data: Record<string, unknown>): void {
    const now = Date.now()
    this.#keep(customEvent('breadcrumb', breadcrumb(category, { data }, now), now))
  }

  #flushNow(): void {
    if (!this.#isSession || this.#hasExpired(Date.now())) return
    if (!this.#isLongEnough) return this.#flush.schedule()
    this.#around.dom.sweep()
    this.#ship(true)
    this.#save()
  }

  /** Hands everything kept to the outbox. */
  #ship(isCompressed: boolean): void {
    if (!this.#buffer.generations[0]) return
    this.#around.onFlush()
    this.#flush.cancel()
    this.outbox?.push(this.#buffer.takeAll(isCompressed))
  }

  #save(): void {
    saveSession(this.#around.storage, this.#session)
  }

  /** Shorter replays are not sent. @see docs/specification.md#s19 */
  get #isLongEnough(): boolean {
    const { minMs = replayMinMs } = this.#options
    return Date.now() - this.#session!.startedAt >= Math.min(minMs, 50_000)
  }

  #go(signal: Signal): boolean {
    const next = transition(this.#state, signal)
    if (!next) return false
    this.#state = next
    this.#around.onState(next)
    return true
  }
}

function customEvent(
  tag: string,
  payload: CustomEvent['data']['payload'],
  timestamp: number,
): CustomEvent {
  return { type: 5, timestamp, data: { tag, payload } }
}

function breadcrumb(
  category: string,
  more: object | undefined,
  atMs: number,
): CustomEvent['data']['payload'] {
  return { timestamp: atMs / 1000, type: 'default', category, ...more }
}
