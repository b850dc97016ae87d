import type { ApiTrace } from '@afterimage/protocol/api/trace'
import {
  formatVital,
  rateVital,
  vitalThresholds,
  type VitalName,
} from '../replay/timeline/vitals.ts'
import styles from './trace.module.css'

const shown: readonly VitalName[] = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']

/** The vitals of the page loads in a trace; the worst where there are several loads. Nothing without any. */
export function VitalsStrip(props: { readonly vitals: ApiTrace['vitals'] }) {
  const values = worstOf(props.vitals)
  if (values.size === 0) return null
  return (
    <dl className={styles['vitals']}>
      {shown.map((name) => {
        const value = values.get(name)
        return value === undefined ? null : <Vital key={name} name={name} value={value} />
      })}
    </dl>
  )
}

function worstOf(vitals: ApiTrace['vitals']): ReadonlyMap<VitalName, number> {
  const worst = new Map<VitalName, number>()
  for (const { name, value } of vitals) {
    const known = shown.find((one) => one === name.toUpperCase())
    if (known !== undefined) worst.set(known, Math.max(worst.get(known) ?? 0, value))
  }
  return worst
}

function Vital(props: { readonly name: VitalName; readonly value: number }) {
  const { name, value } = props
  const rating = rateVital(name, value)
  return (
    <div className={styles['vital']}>
      <dt>
        <b>{name}</b> <span>{vitalThresholds[name].meaning}</span>
      </dt>
      <dd data-rating={rating}>
        {formatVital(name, value)} <small>{rating}</small>
      </dd>
      <VitalRange name={name} value={value} />
    </div>
  )
}

/** Good, fair and poor as one line, and where the value stands on it. */
export function VitalRange(props: { readonly name: VitalName; readonly value: number }) {
  const { good, poor } = vitalThresholds[props.name]
  const whole = poor * 1.5
  const left = Math.min(99, (props.value / whole) * 100)
  return (
    <div className={styles['range']} aria-hidden>
      <i style={{ flex: good / whole }} />
      <i style={{ flex: (poor - good) / whole, background: 'var(--bar)' }} />
      <i style={{ flex: (whole - poor) / whole, background: 'var(--ink-3)' }} />
      <u style={{ left: `${left}%` }} />
    </div>
  )
}
