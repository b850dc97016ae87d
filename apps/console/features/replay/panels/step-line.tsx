import { MarkerIcon } from '../../../ui/marker-icon.tsx'
import { markerShape } from '../marker-shape.ts'
import { clock } from '../timeline/clock.ts'
import type { Step } from '../timeline/steps.ts'
import styles from './panels.module.css'

/** One step as a line; the clip on an issue uses it with its own times. */
export function StepLine(props: { readonly step: Step; readonly time?: string }) {
  const { step } = props
  return (
    <>
      <span className={styles['time']}>{props.time ?? clock(step.at)}</span>
      <MarkerIcon kind={markerShape(step.kind, step.level)} />
      <span className={styles['what']} data-kind={step.kind} data-failed={step.isFailed}>
        {step.verb === '' ? null : <span className={styles['verb']}>{step.verb} </span>}
        {step.subject}
      </span>
      <span className={styles['detail']}>{step.detail}</span>
    </>
  )
}
