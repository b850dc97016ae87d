import type { ApiSpan, ApiTrace } from '@afterimage/protocol/api/trace'

/** One line of the waterfall. Times are ms since the start of the trace. */
export interface SpanRow {
  readonly span: ApiSpan
  readonly depth: number
  /** Index of the parent's row among all rows; null for a root. */
  readonly parent: number | null
  /** Rows below this one that belong to it. */
  readonly descendants: number
  readonly at: number
  readonly until: number
  readonly isFailed: boolean
}

/** Depth beyond which lines are not moved further in. */
export const indentsMax = 14

/** The extent of a trace, ms since the epoch. */
export function extentOf(trace: ApiTrace): {
  readonly startedAt: number
  readonly durationMs: number
} {
  let startedAt = Number.POSITIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY
  const waiting: ApiSpan[] = [...trace.spans]
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    startedAt = Math.min(startedAt, span.start_timestamp * 1000)
    endedAt = Math.max(endedAt, span.end_timestamp * 1000)
    for (const child of span.children) waiting.push(child)
  }
  if (startedAt === Number.POSITIVE_INFINITY) return { startedAt: 0, durationMs: 0 }
  return { startedAt, durationMs: Math.max(0, endedAt - startedAt) }
}

/** All spans in the order they are drawn: each before its children, siblings by their start. */
export function spanRows(trace: ApiTrace): readonly SpanRow[] {
  const { startedAt } = extentOf(trace)
  const rows: { -readonly [K in keyof SpanRow]: SpanRow[K] }[] = []
  // A list instead of recursion: the depth of a trace is its sender's choice.
  const waiting = inReverse(trace.spans).map((span) => ({ span, depth: 0, parent: -1 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, depth, parent } = next
    const index = rows.length
    rows.push({
      span,
      depth,
      parent: parent < 0 ? null : parent,
      descendants: 0,
      at: span.start_timestamp * 1000 - startedAt,
      until: span.end_timestamp * 1000 - startedAt,
      isFailed: isFailed(span.status),
    })
    for (const child of inReverse(span.children)) {
      waiting.push({ span: child, depth: depth + 1, parent: index })
    }
  }
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index]
    if (row === undefined || row.parent === null) continue
    const parent = rows[row.parent]
    if (parent !== undefined) parent.descendants += row.descendants + 1
  }
  return rows
}

/** Statuses that do not count as failures: a cancelled request is the visitor's choice. */
const fine: ReadonlySet<string> = new Set(['ok', 'cancelled', 'unknown', 'unset', ''])

export function isFailed(status: string): boolean {
  return !fine.has(status)
}

/** The indexes of the rows that are drawn: those under a folded one are not. */
export function visibleRows(
  rows: readonly SpanRow[],
  folded: ReadonlySet<string>,
): readonly number[] {
  const visible: number[] = []
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]
    if (row === undefined) continue
    visible.push(index)
    if (folded.has(row.span.span_id)) index += row.descendants
  }
  return visible
}

/** The rows that match every word, with the rows above them so that their place is seen. */
export function matchingRows(rows: readonly SpanRow[], query: string): readonly number[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const kept = new Set<number>()
  rows.forEach((row, index) => {
    const text =
      `${row.span.op} ${row.span.name} ${row.span.service} ${row.span.status}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return
    for (
      let at: number | null = index;
      at !== null && !kept.has(at);
      at = rows[at]?.parent ?? null
    ) {
      kept.add(at)
    }
  })
  return [...kept].sort((a, b) => a - b)
}

/** Longest own time first. */
export function bySelfTime(rows: readonly SpanRow[]): readonly number[] {
  return rows
    .map((_row, index) => index)
    .sort((a, b) => (rows[b]?.span.self_time ?? 0) - (rows[a]?.span.self_time ?? 0))
}

export interface Service {
  readonly name: string
  readonly count: number
  /** 1 to 4: the colour; beyond four services the colour repeats, the name does not. */
  readonly colour: number
}

export function servicesOf(rows: readonly SpanRow[]): readonly Service[] {
  const counts = new Map<string, number>()
  for (const { span } of rows) counts.set(span.service, (counts.get(span.service) ?? 0) + 1)
  return [...counts].map(([name, count], index) => ({ name, count, colour: (index % 4) + 1 }))
}

function inReverse(spans: readonly ApiSpan[]): ApiSpan[] {
  return [...spans].sort((a, b) => b.start_timestamp - a.start_timestamp)
}
