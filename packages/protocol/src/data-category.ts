/** What is counted and limited together. Names are Sentry's, since SDKs compare them. */
export const dataCategories = [
  'default',
  'error',
  'transaction',
  'security',
  'attachment',
  'session',
  'profile',
  'replay',
  'transaction_processed',
  'transaction_indexed',
  'monitor',
  'profile_indexed',
  'span',
  'monitor_seat',
  'feedback',
  'user_report_v2',
  'metric_bucket',
  'span_indexed',
  'profile_duration',
  'profile_duration_ui',
  'profile_chunk',
  'profile_chunk_ui',
  'attachment_item',
  'log_item',
  'log_byte',
  'trace_metric',
  'trace_metric_byte',
  'uptime',
  'internal',
] as const

export type DataCategory = (typeof dataCategories)[number]

export function isDataCategory(value: unknown): value is DataCategory {
  return dataCategories.includes(value as DataCategory)
}
