import type { ApiEvent } from '@afterimage/protocol/api/event'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { offsetWords, stepsOf, type Step } from '../issue/steps.ts'
import styles from './share.module.css'

/** The newest steps before the error; more are not read here. */
const breadcrumbsMax = 40

/** Lists the steps before the event, with times relative to it. */
export function SharedBreadcrumbs(props: { readonly event: ApiEvent }) {
  const { event } = props
  const entry = event.entries.find((one) => one.type === 'breadcrumbs')
  if (entry?.type !== 'breadcrumbs' || entry.data.values.length === 0) return null
  const crumbs = entry.data.values.slice(-breadcrumbsMax)
  return (
    <section className={styles['section']}>
      <h2>The seconds before</h2>
      <ol className={styles['steps']}>
        {stepsOf(crumbs, Date.parse(event.dateCreated)).map((step, index) => (
          <li key={index}>
            <code>{offsetWords(step.at)}</code>
            <MarkerIcon kind={step.marker} />
            <span>{wordsOf(step)}</span>
            <small data-failed={step.isFailed}>{step.result}</small>
          </li>
        ))}
      </ol>
    </section>
  )
}

function wordsOf(step: Step): string {
  const object = step.arrow === null ? step.object : `${step.object} → ${step.arrow}`
  return [step.verb ?? '', object].filter((part) => part !== '').join(' ')
}
