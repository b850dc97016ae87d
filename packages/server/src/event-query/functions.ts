import { failedSpan, type Measure } from '../storage/events/port.ts'
import { type Dataset, eventFieldOf, type FieldType } from './datasets.ts'

/** A function of a question, such as `p95(span.duration)`. */
export interface EventFunction {
  readonly text: string
  readonly measure: Measure
  readonly type: FieldType
  /** Makes the answer of what was measured, in a range of so many minutes. */
  readonly finish: (value: number | null, minutes: number) => number | string | null
}

/** Says whether a name of a question is a function. */
export function isFunction(name: string): boolean {
  return name.includes('(')
}

const asIs = (value: number | null) => value
const asCount = (value: number | null) => value ?? 0
const asTime = (value: number | null) => (value === null ? null : new Date(value).toISOString())

/** Reads a function; a text says why it cannot be. */
export function functionOf(dataset: Dataset, text: string): EventFunction | string {
  const match = /^([a-z_0-9]{1,40})\(([^()]{0,200})\)$/.exec(text)
  if (match === null) return `"${text.slice(0, 60)}" is not a function like count()`
  const [, name = '', list = ''] = match
  const parameters = list.split(',').map((part) => part.trim())
  const [first = ''] = parameters
  switch (name) {
    case 'count':
      return { text, measure: { type: 'count' }, type: 'integer', finish: asCount }
    case 'epm':
    case 'eps':
    case 'tpm': {
      const perMinute = name === 'eps' ? 60 : 1
      const finish = (value: number | null, minutes: number) => (value ?? 0) / minutes / perMinute
      return { text, measure: { type: 'count' }, type: 'number', finish }
    }
    case 'last_seen':
      return { text, measure: { type: 'max', field: 'timestamp' }, type: 'date', finish: asTime }
    case 'first_seen':
      return { text, measure: { type: 'min', field: 'timestamp' }, type: 'date', finish: asTime }
    case 'failure_count':
      if (dataset.table !== 'spans') return `${name}() is about spans`
      return {
        text,
        measure: { type: 'countIf', where: failedSpan },
        type: 'integer',
        finish: asCount,
      }
    case 'count_unique': {
      const field = eventFieldOf(dataset, first)
      if (field === null) return `there is no field "${first.slice(0, 60)}"`
      return {
        text,
        measure: { type: 'distinct', field: field.field },
        type: 'integer',
        finish: asCount,
      }
    }
    default:
      return measured(dataset, { text, name, parameters })
  }
}

const means: Readonly<Record<string, 'sum' | 'min' | 'max' | 'average'>> = {
  sum: 'sum',
  min: 'min',
  max: 'max',
  avg: 'average',
}

function measured(
  dataset: Dataset,
  called: {
    readonly text: string
    readonly name: string
    readonly parameters: readonly string[]
  },
): EventFunction | string {
  const { text, name, parameters } = called
  const named = parameters[0] || dataset.duration || ''
  const field = eventFieldOf(dataset, named)
  const isMeasured =
    field !== null && typeof field.field === 'string' && /^(duration|number)$/.test(field.type)
  if (!isMeasured) return `${name}() needs a field that is a number, not "${named.slice(0, 60)}"`
  const { type } = field
  const column = field.field
  const mean = Object.hasOwn(means, name) ? means[name] : undefined
  if (mean !== undefined) {
    return { text, measure: { type: mean, field: column }, type, finish: asIs }
  }
  const q =
    name === 'percentile' ? Number(parameters[1]) : Number(/^p(\d{1,3})$/.exec(name)?.[1]) / 100
  if (!(q >= 0 && q <= 1)) return `there is no function "${name}"`
  return { text, measure: { type: 'quantile', field: column, q }, type, finish: asIs }
}
