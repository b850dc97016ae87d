import type { Attributes } from './attributes.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type LogLevel = (typeof logLevels)[number]

/** The least severity number of each level; a level spans four numbers (OpenTelemetry). */
export const logSeverities: Readonly<Record<LogLevel, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
}

/** The level of a severity number; null outside 1 to 24. */
export function logLevelOfSeverity(severity: number): LogLevel | null {
  if (!(severity >= 1 && severity < 25)) return null
  return logLevels[Math.floor((severity - 1) / 4)] ?? null
}

/** One line of a `log` container. */
export interface LogPayload {
  /** Seconds since the epoch, with a fraction. */
  readonly timestamp: number
  readonly trace_id: string
  readonly span_id?: string
  readonly level: LogLevel
  readonly severity_number?: number
  readonly body: string
  /** `sentry.timestamp.sequence` orders lines of one moment. */
  readonly attributes?: Attributes
}

export const metricTypes = ['counter', 'gauge', 'distribution'] as const

/** One value of a `trace_metric` container. */
export interface MetricPayload {
  /** Seconds since the epoch, with a fraction. */
  readonly timestamp: number
  readonly trace_id: string
  readonly span_id?: string
  readonly name: string
  readonly type: (typeof metricTypes)[number]
  readonly value: number
  readonly unit?: string
  readonly attributes?: Attributes
}
