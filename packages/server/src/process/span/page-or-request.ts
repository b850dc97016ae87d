/**
 * Operations of segments that are no page, request or job of their own. SDK 11 makes a segment of
 * whatever has no parent: a fetch after the page load, a late web vital, a click. Older SDKs sent those
 * only inside a transaction. They stay segments in the trace (`isSegment` 1) and stay out of the lists
 * of pages and transactions. `*` stands for any run of characters, as in a store's `notLike`.
 */
export const unlistedSegmentOps: readonly string[] = [
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

const unlisted = unlistedSegmentOps.map((pattern) => ({
  prefix: pattern.replace(/\*$/, ''),
  isExact: !pattern.endsWith('*'),
}))

/** Whether a segment with this operation is listed among pages and transactions. */
export function isPageOrRequest(op: string): boolean {
  return !unlisted.some(({ prefix, isExact }) => (isExact ? op === prefix : op.startsWith(prefix)))
}

/** Operations of a browser's page: a load of it, or a change of route within it. */
export function isPageOp(op: string): boolean {
  return op === 'pageload' || op === 'navigation'
}
