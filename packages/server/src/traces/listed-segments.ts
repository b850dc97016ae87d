import type { Condition } from '../storage/events/port.ts'

/**
 * Operations of segments that are not a page, request or job of their own. SDK 11 makes a segment of
 * every span without a parent: a fetch after the page load, a late web vital, a click. Older SDKs sent those
 * only inside a transaction. They stay segments in the trace (`isSegment` 1) and stay out of the lists
 * of pages and transactions. `*` stands for any run of characters.
 */
const unlistedOps = [
  'http.client',
  'http.client.*',
  'ui.interaction.*',
  'ui.webvital.*',
  'ui.long*',
  'resource.*',
  'browser',
  'browser.*',
  'paint',
  'mark',
  'measure',
]

/** Segments that are listed among pages, requests and jobs. */
export const listedSegments: readonly Condition[] = [
  { field: 'isSegment', op: 'is', value: 1 },
  ...unlistedOps.map((pattern): Condition => ({ field: 'op', op: 'notLike', pattern })),
]

/** Tells whether lists show a segment with this operation. */
export function isListed(op: string): boolean {
  return !unlistedOps.some((pattern) =>
    pattern.endsWith('*') ? op.startsWith(pattern.slice(0, -1)) : op === pattern,
  )
}
