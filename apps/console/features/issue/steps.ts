import type { ApiBreadcrumb } from '@afterimage/protocol/api/event'
import type { Marker } from '../../ui/marker-icon.tsx'
import { nameInSelector, selectorOf } from '../replay/timeline/selector-name.ts'

export type StepKind = 'actions' | 'console' | 'network' | 'other'

/** A breadcrumb as a reader sees it: an action, its object and its result. */
export interface Step {
  /** ms relative to the error; null when the SDK gave no time. */
  readonly at: number | null
  readonly marker: Marker
  readonly kind: StepKind
  /** "Clicked", "POST", "console.warn": set quietly. Null when the object says it all. */
  readonly verb: string | null
  /** The object of the action; its parts are set in ink. */
  readonly object: string
  /** `from → to` of a navigation. */
  readonly arrow: string | null
  /** Result at the right: "200, 148 ms". */
  readonly result: string
  readonly isFailed: boolean
  readonly data: Readonly<Record<string, unknown>> | null
  /** The whole selector of the step's element; absent without one. */
  readonly path?: string
}

/** Turns breadcrumbs into steps, oldest first, timed against the error. Unknown ones keep their category. */
export function stepsOf(breadcrumbs: readonly ApiBreadcrumb[], errorAt: number): Step[] {
  return breadcrumbs.map((crumb) => {
    const time = crumb.timestamp === null ? Number.NaN : Date.parse(crumb.timestamp)
    const at = Number.isFinite(time) ? time - errorAt : null
    return { at, data: crumb.data, ...reading(crumb) }
  })
}

/** "−31.4 s", "0.0 s", "+8.7 s", "−2 min 5 s"; nothing without a time. */
export function offsetWords(ms: number | null): string {
  if (ms === null) return ''
  const seconds = Math.abs(ms) / 1000
  const sign = Math.round(ms / 100) === 0 ? '' : ms < 0 ? '−' : '+'
  if (seconds < 100) return `${sign}${seconds.toFixed(1)} s`
  if (seconds < 6000) return `${sign}${Math.round(seconds / 60)} min`
  return `${sign}${Math.round(seconds / 3600)} h`
}

/** Returns the person's last action before the error, for the standfirst; null without one. */
export function lastAction(steps: readonly Step[]): Step | null {
  return (
    steps.findLast((step) => step.kind === 'actions' && (step.at === null || step.at <= 0)) ?? null
  )
}

type Reading = Omit<Step, 'at' | 'data'>

function reading(crumb: ApiBreadcrumb): Reading {
  const category = crumb.category ?? ''
  if (category === 'navigation' || crumb.type === 'navigation') return navigation(crumb)
  if (category.startsWith('ui.')) return interaction(crumb, category)
  if (crumb.type === 'http' || category === 'fetch' || category === 'xhr' || category === 'http') {
    return request(crumb)
  }
  if (category === 'console') return consoleLine(crumb)
  if (category === 'sentry.transaction') return transaction(crumb)
  if (category === 'sentry.event' || crumb.level === 'fatal') {
    return { ...plain(crumb), marker: markerOf(crumb.level), verb: null }
  }
  return plain(crumb)
}

function navigation(crumb: ApiBreadcrumb): Reading {
  const from = pathOf(text(crumb.data?.['from']))
  const to = pathOf(text(crumb.data?.['to']))
  return {
    marker: 'navigation',
    kind: 'actions',
    verb: null,
    object: from === '' ? to || (crumb.message ?? 'navigation') : from,
    arrow: from === '' || to === '' ? null : to,
    result: '',
    isFailed: false,
  }
}

function interaction(crumb: ApiBreadcrumb, category: string): Reading {
  const isInput = category === 'ui.input'
  const isRage =
    category === 'ui.multiClick' ||
    (category === 'ui.slowClickDetected' && Number(crumb.data?.['clickCount'] ?? 0) >= 3)
  const path = crumb.message ?? text(crumb.data?.['target'])
  const named = nameOf(crumb.data) ?? nameInSelector(path)
  const verbs: Readonly<Record<string, string>> = {
    'ui.click': 'Clicked',
    'ui.input': 'Typed in',
    'ui.keypress': 'Pressed a key in',
    'ui.keyDown': 'Pressed a key in',
    'ui.focus': 'Entered',
    'ui.blur': 'Left',
    'ui.slowClickDetected': 'Slow click on',
    'ui.multiClick': 'Clicked repeatedly',
  }
  return {
    marker: isRage ? 'rage' : isInput || category.startsWith('ui.key') ? 'input' : 'click',
    kind: 'actions',
    verb: isRage ? 'Rage-clicked' : (verbs[category] ?? category.slice(3)),
    object: named ?? selectorOf(path),
    arrow: null,
    result: named === null ? '' : selectorOf(path),
    isFailed: false,
    path,
  }
}

/** Returns the component's name, as some bundler plugins write it into the page. */
function nameOf(data: ApiBreadcrumb['data']): string | null {
  const name = text(data?.['ui.component_name'])
  return name === '' ? null : `“${name.slice(0, 60)}”`
}

function request(crumb: ApiBreadcrumb): Reading {
  const data = crumb.data ?? {}
  const status = Number(data['status_code'] ?? data['statusCode'] ?? Number.NaN)
  const duration = Number(data['duration'] ?? Number.NaN)
  const isFailed = crumb.level === 'error' || status >= 400 || status === 0
  const results = [
    Number.isFinite(status) ? (status === 0 ? 'no answer' : String(status)) : '',
    Number.isFinite(duration) ? `${Math.round(duration)} ms` : '',
  ]
  return {
    marker: 'network',
    kind: 'network',
    verb: text(data['method'] ?? data['http.method']) || 'GET',
    object: pathOf(text(data['url'])) || (crumb.message ?? ''),
    arrow: null,
    result: results.filter((part) => part !== '').join(', '),
    isFailed,
  }
}

function consoleLine(crumb: ApiBreadcrumb): Reading {
  const names: Readonly<Record<string, string>> = {
    warning: 'console.warn',
    error: 'console.error',
    fatal: 'console.error',
    debug: 'console.debug',
    info: 'console.info',
  }
  return {
    marker:
      crumb.level === 'warning' || crumb.level === 'error' ? markerOf(crumb.level) : 'console',
    kind: 'console',
    verb: names[crumb.level] ?? 'console.log',
    object: crumb.message ?? '',
    arrow: null,
    result: '',
    isFailed: crumb.level === 'error',
  }
}

/* Some SDKs name only the id of the item they sent. */
function transaction(crumb: ApiBreadcrumb): Reading {
  const message = crumb.message ?? ''
  const isId = /^[0-9a-f]{32}$/i.test(message)
  return {
    ...plain(crumb),
    marker: 'info',
    verb: 'Sent a transaction',
    object: isId ? '' : message,
    result: isId ? message.slice(0, 8) : '',
  }
}

function plain(crumb: ApiBreadcrumb): Reading {
  return {
    marker: crumb.level === 'info' || crumb.level === 'log' ? 'debug' : markerOf(crumb.level),
    kind: 'other',
    verb: crumb.category,
    object: crumb.message ?? (crumb.category === null ? crumb.type : ''),
    arrow: null,
    result: '',
    isFailed: crumb.level === 'error' || crumb.level === 'fatal',
  }
}

function markerOf(level: string): Marker {
  if (level === 'fatal' || level === 'error' || level === 'warning' || level === 'debug')
    return level
  return 'info'
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

/** Returns the path and query of an address; other text stays as it is. */
export function pathOf(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)
  if (match === null) return url
  return match[1] === '' || match[1] === undefined ? '/' : match[1]
}
