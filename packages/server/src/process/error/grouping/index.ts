import type { NormalizedEvent } from '@afterimage/protocol/event'
import { groupV1 } from './v1/index.ts'

/** Which issue an event belongs to. */
export interface Grouping {
  /** The way of grouping that made the hashes. */
  readonly version: string
  /** 32 hex characters each: the event's own hash first, then others that mean the same issue. */
  readonly hashes: readonly [string, ...string[]]
}

const versions = { v1: groupV1 } as const

export const currentGrouping = 'v1' satisfies keyof typeof versions

/** Groups a normalised and scrubbed event. */
export function groupEvent(
  event: NormalizedEvent,
  version: keyof typeof versions = currentGrouping,
): Grouping {
  const [first, ...others] = versions[version](event)
  return { version, hashes: [first ?? '', ...others] }
}
