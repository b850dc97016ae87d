import { replayListMax } from '@afterimage/protocol/limits'
import { memberOf, readNumber } from '../fields.ts'
import { isRecord } from '../../steps/normalize/text.ts'

const metaEvent = 4
const customEvent = 5
/** The SDK waits this long for a click to show an effect. */
const deadClickMs = 7_000
const rageClicksMin = 5
const urlCharsMax = 2_048
const yearTenThousandMs = 253_402_300_800_000

/** Facts about a segment, gathered from its rrweb events one by one. */
export class RecordingFacts {
  eventCount = 0
  /** ms of the client's clock; null before the first event. */
  firstEventAt: number | null = null
  lastEventAt: number | null = null
  /** Pages in order of visit, repetitions in a row left out. */
  readonly urls: string[] = []
  clicks = 0
  deadClicks = 0
  rageClicks = 0
  warnings = 0
  infos = 0

  /** Takes one event. Returns false unless it is an object with a numeric type and timestamp. */
  add(event: unknown): boolean {
    if (!isRecord(event)) return false
    const { type, timestamp, data } = event
    if (!Number.isFinite(type) || !Number.isFinite(timestamp)) return false
    this.eventCount += 1
    this.#addTime(eventTimeMs(timestamp as number))
    if (type === metaEvent) this.#addUrl(memberOf(data, 'href'))
    if (type === customEvent) this.#addCustom(data)
    return true
  }

  #addTime(ms: number): void {
    if (ms < 0 || ms >= yearTenThousandMs) return
    this.firstEventAt = Math.min(this.firstEventAt ?? ms, ms)
    this.lastEventAt = Math.max(this.lastEventAt ?? ms, ms)
  }

  #addUrl(url: unknown): void {
    if (typeof url !== 'string' || url === '') return
    const short = url.slice(0, urlCharsMax)
    if (this.urls.length < replayListMax && this.urls.at(-1) !== short) {
      this.urls.push(short)
    }
  }

  #addCustom(data: unknown): void {
    const payload = memberOf(data, 'payload')
    const tag = memberOf(data, 'tag')
    if (tag === 'breadcrumb') this.#addBreadcrumb(payload)
    const op = tag === 'performanceSpan' ? memberOf(payload, 'op') : null
    if (typeof op === 'string' && op.startsWith('navigation.')) {
      this.#addUrl(memberOf(payload, 'description'))
    }
  }

  #addBreadcrumb(crumb: unknown): void {
    const category = memberOf(crumb, 'category')
    if (category === 'ui.click') this.clicks += 1
    if (category === 'ui.slowClickDetected' && isDeadClick(crumb)) {
      this.deadClicks += 1
      if ((readNumber(memberOf(crumb, 'data', 'clickCount')) ?? 0) >= rageClicksMin) {
        this.rageClicks += 1
      }
    }
    if (category !== 'console') return
    const level = memberOf(crumb, 'level')
    if (level === 'warning') this.warnings += 1
    if (level === 'info') this.infos += 1
  }
}

/**
 * Returns the time of an event in ms. The SDK dates its own custom events about performance in
 * seconds: a time in the first weeks of 1970 is in seconds.
 */
export function eventTimeMs(timestamp: number): number {
  return timestamp < 100_000_000_000 ? timestamp * 1000 : timestamp
}

/**
 * A click on something clickable that showed no effect within the SDK's patience, or until the person
 * left the page.
 */
function isDeadClick(crumb: unknown): boolean {
  const tagName = memberOf(crumb, 'data', 'node', 'tagName')
  const waitedMs = readNumber(memberOf(crumb, 'data', 'timeAfterClickMs')) ?? 0
  const endReason = memberOf(crumb, 'data', 'endReason')
  return (
    typeof tagName === 'string' &&
    ['a', 'button', 'input'].includes(tagName.toLowerCase()) &&
    (endReason === 'pageLeft' || (endReason === 'timeout' && waitedMs >= deadClickMs))
  )
}
