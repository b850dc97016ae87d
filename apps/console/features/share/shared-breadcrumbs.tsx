import type { ApiBreadcrumb, ApiEvent } from '@afterimage/protocol/api/event'
import { MarkerIcon, type Marker } from '../../ui/marker-icon.tsx'
import styles from './share.module.css'

/** The newest steps before the error; more are not read here. */
const breadcrumbsMax = 40

/** What happened before the event, with times relative to it. */
export function SharedBreadcrumbs(props: { readonly event: ApiEvent }) {
  const { event } = props
  const entry = event.entries.find((one) => one.type === 'breadcrumbs')
  if (entry?.type !== 'breadcrumbs' || entry.data.values.length === 0) return null
  const endedAt = Date.parse(event.dateCreated)
  return (
    <section className={styles['section']}>
      <h2>The seconds before</h2>
      <ol className={styles['steps']}>
        {entry.data.values.slice(-breadcrumbsMax).map((breadcrumb, index) => (
          <li key={index}>
            <code>{relative(breadcrumb.timestamp, endedAt)}</code>
            <MarkerIcon kind={shapeOf(breadcrumb)} />
            <span>{wordsOf(breadcrumb)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function relative(timestamp: string | null, endedAt: number): string {
  const at = timestamp === null ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(at)
    ? ''
    : `${at <= endedAt ? '−' : '+'}${(Math.abs(endedAt - at) / 1000).toFixed(1)} s`
}

function shapeOf(breadcrumb: ApiBreadcrumb): Marker {
  if (breadcrumb.level === 'error' || breadcrumb.level === 'fatal') return 'error'
  if (breadcrumb.level === 'warning') return 'warning'
  const category = breadcrumb.category ?? breadcrumb.type
  if (/^(?:fetch|xhr|http)/.test(category)) return 'network'
  if (category.startsWith('navigation')) return 'navigation'
  if (category.startsWith('ui.input')) return 'input'
  return category.startsWith('ui.') ? 'click' : 'console'
}

/** The message, else what a request or a navigation says of itself. */
function wordsOf(breadcrumb: ApiBreadcrumb): string {
  if (breadcrumb.message !== null && breadcrumb.message !== '') return breadcrumb.message
  const data = breadcrumb.data ?? {}
  if (typeof data['to'] === 'string') return `${text(data['from'])} → ${data['to']}`
  if (typeof data['url'] === 'string') {
    return [text(data['method']), data['url'], text(data['status_code'])]
      .filter((part) => part !== '')
      .join(' ')
  }
  return breadcrumb.category ?? breadcrumb.type
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
