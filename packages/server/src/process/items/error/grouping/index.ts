import type { NormalizedEvent } from '@afterimage/protocol/event'
import { groupV1 } from './v1/index.ts'
import { groupV2, isGroupedAnew } from './v2/index.ts'

/** The issue that an event belongs to. */
export interface Grouping {
  /** The way of grouping that made the hashes. */
  readonly version: string
  /** 32 hex characters each: the event's own hash first, then others that mean the same issue. */
  readonly hashes: readonly [string, ...string[]]
  /**
   * Hashes of ways of grouping before, where they differ. An issue that has one keeps its events; a new
   * issue does not take them, so what was one issue by mistake becomes several.
   */
  readonly formerHashes: readonly string[]
}

const versions = { v1: groupV1, v2: groupV2 } as const

export const currentGrouping = 'v2' satisfies keyof typeof versions

/** Groups a normalised and scrubbed event. */
export function groupEvent(
  event: NormalizedEvent,
  version: keyof typeof versions = currentGrouping,
): Grouping {
  const [first = '', ...others] = versions[version](event)
  const hashes = [first, ...others] as const
  const former = version === 'v1' || !isGroupedAnew(event) ? hashes : versions.v1(event)
  return { version, hashes, formerHashes: former.filter((hash) => !hashes.includes(hash)) }
}
