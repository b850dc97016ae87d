import { monitorSlugCharactersMax } from './limits.ts'

const statuses = ['in_progress', 'ok', 'error'] as const

/** Tells whether a text is a status of a scheduled job: begun, ended well, or failed. */
export function isCheckInStatus(value: unknown): value is (typeof statuses)[number] {
  return (statuses as readonly unknown[]).includes(value)
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
