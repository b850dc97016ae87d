import type { Integration } from '@afterimage/sdk-core/integration'
import { cut, normalize, textOf } from '@afterimage/sdk-core/normalize'
import { batchIntegration, captureEntry } from './batch.ts'
import { metricsMax, nameCharactersMax } from './limits.ts'

/** One measurement, as `beforeSendMetric` may change it. */
export interface Metric {
  type: 'counter' | 'gauge' | 'distribution'
  name: string
  value: number
  unit?: string | undefined
  /** Those of the call, and who sends: `user.…`, `sentry.release` and the like. */
  attributes?: Record<string, unknown>
}

export interface MetricOptions {
  /** As in `millisecond`, `byte`, `item`. */
  readonly unit?: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

export interface MetricsOptions {
  /** Receives every measurement last; null discards it. */
  readonly beforeSendMetric?: (metric: Metric) => Metric | null
}

const integrationName = 'metrics'

/** Sends the measurements of `metrics`, in batches. */
export function metricsIntegration({ beforeSendMetric }: MetricsOptions = {}): Integration {
  return batchIntegration<Metric>({
    name: integrationName,
    itemType: 'trace_metric',
    contentType: 'application/vnd.sentry.items.trace-metric+json',
    category: 'trace_metric',
    entriesMax: metricsMax,
    before: beforeSendMetric,
    write: ({ type, name, value, unit }) =>
      name && Number.isFinite(value)
        ? { type, name: cut(textOf(name), nameCharactersMax - 3), value, unit }
        : null,
  })
}

function measure(type: Metric['type'], name: string, value: number, given?: MetricOptions): void {
  captureEntry<Metric>(integrationName, () => ({
    type,
    name,
    value,
    unit: given?.unit,
    attributes: { ...normalize(given?.attributes) },
  }))
}

/**
 * Measurements of the application. They need `metricsIntegration`; without it, or with a value that
 * is not a finite number, they are dropped.
 */
export const metrics = {
  /** Adds to a counter, 1 by default. */
  count: (name: string, value = 1, options?: MetricOptions): void =>
    measure('counter', name, value, options),
  /** Records a level, such as the length of a queue. */
  gauge: (name: string, value: number, options?: MetricOptions): void =>
    measure('gauge', name, value, options),
  /** Records one value of many, such as a time. */
  distribution: (name: string, value: number, options?: MetricOptions): void =>
    measure('distribution', name, value, options),
} as const
