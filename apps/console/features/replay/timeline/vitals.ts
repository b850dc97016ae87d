import { customOf, fieldsOf, numberOf, textOf, toMs } from './recorded.ts'
import type { Recording } from './recording.ts'

export type VitalName = 'LCP' | 'INP' | 'CLS' | 'FCP' | 'TTFB' | 'FID'
export type VitalRating = 'good' | 'fair' | 'poor'

/** Good up to and poor beyond, ms, CLS without unit: the published Core Web Vitals thresholds. */
export const vitalThresholds: Readonly<
  Record<VitalName, { readonly good: number; readonly poor: number; readonly meaning: string }>
> = {
  LCP: { good: 2500, poor: 4000, meaning: 'largest contentful paint' },
  INP: { good: 200, poor: 500, meaning: 'interaction to next paint' },
  CLS: { good: 0.1, poor: 0.25, meaning: 'layout shift' },
  FCP: { good: 1800, poor: 3000, meaning: 'first contentful paint' },
  TTFB: { good: 800, poor: 1800, meaning: 'first byte' },
  FID: { good: 100, poor: 300, meaning: 'first input delay' },
}

export function rateVital(name: VitalName, value: number): VitalRating {
  const { good, poor } = vitalThresholds[name]
  if (value <= good) return 'good'
  return value <= poor ? 'fair' : 'poor'
}

/** `4.21 s`, `184 ms`, `0.02`. */
export function formatVital(name: VitalName, value: number): string {
  if (name === 'CLS') return value.toFixed(2)
  return value >= 500 && name !== 'INP' && name !== 'FID'
    ? `${(value / 1000).toFixed(2)} s`
    : `${Math.round(value)} ms`
}

export interface VitalRow {
  readonly id: string
  /** ms since the start: when the value was final. */
  readonly at: number
  readonly name: VitalName
  readonly value: number
  readonly rating: VitalRating
}

const described: Readonly<Record<string, VitalName>> = {
  'largest-contentful-paint': 'LCP',
  'cumulative-layout-shift': 'CLS',
  'interaction-to-next-paint': 'INP',
  'first-input-delay': 'FID',
}

export function deriveVitals(recording: Recording): readonly VitalRow[] {
  const byMoment = new Map<string, VitalRow>()
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'performanceSpan') continue
    const isVital = custom.payload['op'] === 'web-vital'
    const name = isVital ? described[textOf(custom.payload['description'], 64) ?? ''] : undefined
    const value = numberOf(fieldsOf(custom.payload['data'])['value'])
    if (name === undefined || value === null) continue
    const endedAt = toMs(numberOf(custom.payload['endTimestamp']) ?? event.timestamp)
    const at = Math.max(0, endedAt - recording.startedAt)
    // A value that is still growing is written again and again: the last one of its moment counts.
    byMoment.set(`${name} ${at}`, { id: '', at, name, value, rating: rateVital(name, value) })
  }
  return [...byMoment.values()].map((row, index) => ({ ...row, id: `v${index}` }))
}
