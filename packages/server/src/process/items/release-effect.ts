import type { ReleaseEffect } from '../../storage/events/port.ts'

/** Builds the effect for the release and environment an item names; empty when it names neither. */
export function releaseEffects(item: {
  readonly release?: string | null
  readonly environment?: string | null
  readonly timestamp: number
}): ReleaseEffect[] {
  const release = item.release ?? null
  const environment = item.environment ?? null
  if (release === null && environment === null) return []
  return [{ type: 'release', release, environment, timestamp: item.timestamp }]
}
