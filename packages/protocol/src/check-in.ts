import { monitorSlugCharactersMax } from './limits.ts'

export const checkInStatuses = ['in_progress', 'ok', 'error'] as const

export type CheckInStatus = (typeof checkInStatuses)[number]

export const scheduleUnits = ['year', 'month', 'week', 'day', 'hour', 'minute'] as const

export type MonitorSchedule =
  | { readonly type: 'crontab'; readonly value: string }
  | {
      readonly type: 'interval'
      readonly value: number
      readonly unit: (typeof scheduleUnits)[number]
    }

/** Makes or changes the monitor along with the check-in. */
export interface MonitorConfig {
  readonly schedule: MonitorSchedule
  /** Minutes a check-in may be late. */
  readonly checkin_margin?: number
  /** Minutes a check-in may stay in progress. */
  readonly max_runtime?: number
  /** IANA name; UTC when absent. */
  readonly timezone?: string
  /** Failures in a row that open an issue, and successes that close it. */
  readonly failure_issue_threshold?: number
  readonly recovery_threshold?: number
  readonly owner?: string
}

/**
 * A scheduled job says that it began, ended well, or failed. One id ties the beginning to its end;
 * without it, or with the all-zero one, the latest beginning is meant.
 */
export interface CheckInPayload {
  readonly check_in_id?: string
  readonly monitor_slug: string
  readonly status: CheckInStatus
  /** Seconds. */
  readonly duration?: number
  readonly release?: string
  readonly environment?: string
  readonly contexts?: { readonly trace?: { readonly trace_id?: string } }
  readonly monitor_config?: MonitorConfig
}

export function isCheckInStatus(value: unknown): value is CheckInStatus {
  return checkInStatuses.includes(value as CheckInStatus)
}

/**
 * The slug under which a monitor is kept: lower case, only `a-z 0-9 _ -`, at most 50 characters.
 * Other characters become single dashes. Null when nothing is left.
 */
export function normalizeMonitorSlug(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const slug = name
    .slice(0, 10 * monitorSlugCharactersMax)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, monitorSlugCharactersMax)
  const trimmed = slug.replace(/^-+/, '').replace(/-+$/, '')
  return trimmed === '' ? null : trimmed
}
