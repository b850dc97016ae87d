import { guard, guardEach } from '@afterimage/sdk-core/guard'
import { listen } from '@afterimage/sdk-core/listen'
import { documentTiming } from './clock.ts'
import { interactionsMax } from './limits.ts'

interface LayoutShift {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Members of any of the entries behind a vital. */
export type VitalEntry = PerformanceEntry &
  Partial<LargestContentfulPaint & LayoutShift & PerformanceEventTiming>

/** A value in ms, a ratio for CLS, and the entry that most of it comes from. */
export interface Measured {
  readonly value: number
  readonly entry?: VitalEntry
}

export type VitalName = 'cls' | 'fcp' | 'inp' | 'lcp'
export type TellVital = (name: VitalName, measured: Measured) => void

/**
 * Measures FCP, LCP, CLS and INP by the rules of https://web.dev/articles/vitals; a journey compares
 * them with those of the library `web-vitals`. FCP is told at once, LCP at the first click, key or
 * hiding of the page, CLS and INP whenever it is hidden and they have changed. A page that returns
 * from the back/forward cache is measured anew.
 */
export function measureVitals(tell: TellVital): void {
  // A prerendered page is first seen when it is activated.
  if ((document as { prerendering?: boolean }).prerendering) {
    listen(document, 'prerenderingchange', () => measure(tell))
  } else measure(tell)
}

function measure(tell: TellVital): void {
  const { activationStart = 0 } = documentTiming() ?? {}
  /** Paints after the page was first hidden say nothing about its speed. */
  let hiddenAt =
    performance
      .getEntriesByType('visibility-state')
      .find((it) => it.name === 'hidden' && it.startTime >= activationStart)?.startTime ??
    (isHidden() ? 0 : Infinity)
  const told = new Map<VitalName, number>()
  let paints: Partial<Record<VitalName, Measured>> = {}
  let shifts = layoutShifts()
  let interactions = slowInteractions()

  function settle(name: VitalName, measured: Measured | undefined): void {
    if (!measured || told.get(name) === measured.value) return
    told.set(name, measured.value)
    tell(name, measured)
  }
  function addPaint(name: VitalName, entry: VitalEntry): void {
    const { startTime } = entry
    if (startTime < hiddenAt)
      paints[name] = { value: Math.max(startTime - activationStart, 0), entry }
  }

  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') addPaint('fcp', entry)
    settle('fcp', paints.fcp)
  })
  const takePaints = observe('largest-contentful-paint', (entry) => addPaint('lcp', entry))
  const takeShifts = observe('layout-shift', (entry) => shifts.add(entry))
  const takeEvents = ['event', 'first-input'].map((type) =>
    observe(type, (entry) => interactions.add(entry)),
  )

  function settleLcp(): void {
    takePaints?.()
    settle('lcp', paints.lcp)
  }
  for (const type of ['click', 'keydown']) {
    listen(window, type, ({ isTrusted }: Event) => {
      // Not while the page reacts.
      if (isTrusted) (globalThis.requestIdleCallback ?? setTimeout)(() => guard(settleLcp))
    })
  }
  // The window hears of it before the document, whose listener ends the page.
  listen(window, 'visibilitychange', ({ timeStamp }: Event) => {
    if (!isHidden()) return
    settleLcp()
    hiddenAt = Math.min(hiddenAt, timeStamp)
    takeShifts?.()
    for (const take of takeEvents) take?.()
    // A page that nobody saw has not shifted.
    if (takeShifts && paints.fcp) settle('cls', shifts.greatest())
    settle('inp', interactions.worst())
  })
  listen(window, 'pageshow', ({ persisted, timeStamp }: PageTransitionEvent) => {
    if (!persisted) return
    told.clear()
    shifts = layoutShifts()
    interactions = slowInteractions()
    // The second frame comes after the first that was drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const returned = { value: performance.now() - timeStamp }
        paints = { fcp: returned, ...(takePaints && { lcp: returned }) }
        guardEach(['fcp', 'lcp'] as const, (name) => settle(name, paints[name]))
      }),
    )
  })
}

/** Sums layout shifts up by windows, which end with a second of rest, or after five. */
function layoutShifts(): { add(entry: VitalEntry): void; greatest(): Measured } {
  let greatest: Measured = { value: 0 }
  let sum = 0
  let firstAt = 0
  let lastAt = 0
  let largest: VitalEntry
  return {
    add(entry) {
      const { value = 0, startTime, hadRecentInput } = entry
      if (hadRecentInput) return
      if (!sum || startTime - lastAt >= 1000 || startTime - firstAt >= 5000) {
        sum = 0
        firstAt = startTime
        largest = entry
      }
      lastAt = startTime
      sum += value
      if (value > largest.value!) largest = entry
      if (sum > greatest.value) greatest = { value: sum, entry: largest }
    },
    greatest: () => greatest,
  }
}

/** Keeps the longest interactions; of every 50 the worst one is forgiven. */
function slowInteractions(): { add(entry: VitalEntry): void; worst(): Measured | undefined } {
  const before = interactionCount()
  let longest: readonly VitalEntry[] = []
  return {
    add(entry) {
      const { interactionId, duration } = entry
      const known = longest.find((it) => it.interactionId === interactionId)
      if (!interactionId || (known && known.duration >= duration)) return
      longest = [...longest.filter((it) => it !== known), entry]
        .sort((one, other) => other.duration - one.duration)
        .slice(0, interactionsMax)
    },
    worst() {
      const all = interactionCount() - before
      const entry = longest[Math.min(longest.length - 1, Math.floor(all / 50))]
      if (entry) return { value: entry.duration, entry }
      // Interactions too short for an entry, in a page that came back.
      return all > 0 ? { value: 8 } : undefined
    },
  }
}

/** Returns 0 in browsers that do not count: the longest interaction is then the worst. */
function interactionCount(): number {
  return (performance as { interactionCount?: number }).interactionCount ?? 0
}

/**
 * Observes entries of a type, those from before as well. Returns a function that adds entries not
 * reported yet; undefined where a browser does not know the type.
 */
function observe(type: string, add: (entry: VitalEntry) => void): (() => void) | undefined {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return undefined
  const addAll = (entries: PerformanceEntryList): void => {
    for (const entry of entries) guard(() => add(entry))
  }
  const observer = new PerformanceObserver((list) => addAll(list.getEntries()))
  // Shorter events have no part in slow interactions.
  observer.observe({ type, buffered: true, durationThreshold: 40 } as PerformanceObserverInit)
  return () => addAll(observer.takeRecords())
}

function isHidden(): boolean {
  return document.visibilityState === 'hidden'
}
