import type { ApiSpan, ApiTraceError } from '@afterimage/protocol/api/trace'

/** A span while its trace is put together; `self_time` is at first what its own envelope told, else infinite. */
export type DrawnSpan = Omit<ApiSpan, 'children' | 'errors' | 'self_time'> & {
  self_time: number
  readonly children: DrawnSpan[]
  readonly errors: ApiTraceError[]
}

/** Deeper spans hang at this depth: whoever walks an answer may do so by recursion. */
const DEPTH_MAX = 200

/**
 * Hangs spans under their parents, each level in order of start. A span without a parent in the
 * trace is a root; in a cycle the first to start is. Self time needs all children; a row knows only
 * those in its own envelope.
 */
export function spanTree(spans: readonly DrawnSpan[]): readonly ApiSpan[] {
  const byId = new Map<string, DrawnSpan>()
  for (const span of spans) if (!byId.has(span.span_id)) byId.set(span.span_id, span)
  const sorted = [...spans].sort((a, b) => a.start_timestamp - b.start_timestamp)
  const childrenOf = new Map<DrawnSpan, DrawnSpan[]>()
  const roots: DrawnSpan[] = []
  for (const span of sorted) {
    const parent = byId.get(span.parent_span_id ?? '')
    if (parent === undefined || parent === span) {
      roots.push(span)
      continue
    }
    const siblings = childrenOf.get(parent) ?? []
    siblings.push(span)
    childrenOf.set(parent, siblings)
  }
  const hung = new Set<DrawnSpan>()
  for (const root of roots) hang(root, childrenOf, hung)
  for (const span of sorted) {
    if (hung.has(span)) continue
    roots.push(span)
    hang(span, childrenOf, hung)
  }
  for (const span of spans) {
    span.self_time = Math.min(span.self_time, selfTime(span, childrenOf.get(span) ?? []))
  }
  return roots.sort((a, b) => a.start_timestamp - b.start_timestamp)
}

function hang(
  root: DrawnSpan,
  childrenOf: ReadonlyMap<DrawnSpan, readonly DrawnSpan[]>,
  hung: Set<DrawnSpan>,
): void {
  hung.add(root)
  const waiting: { span: DrawnSpan; under: DrawnSpan; depth: number }[] = [
    { span: root, under: root, depth: 0 },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, under, depth } = next
    for (const child of childrenOf.get(span) ?? []) {
      if (hung.has(child)) continue
      hung.add(child)
      const isDeep = depth >= DEPTH_MAX
      const parent = isDeep ? under : span
      parent.children.push(child)
      waiting.push({ span: child, under: isDeep ? under : child, depth: depth + 1 })
    }
  }
}

/** Its duration without the time that its children cover, ms. They come in order of start. */
function selfTime(span: DrawnSpan, children: readonly DrawnSpan[]): number {
  let covered = 0
  let until = span.start_timestamp
  for (const child of children) {
    const from = Math.max(child.start_timestamp, until)
    const to = Math.min(child.end_timestamp, span.end_timestamp)
    if (to > from) {
      covered += to - from
      until = to
    }
  }
  // Seconds as floats are exact to a microsecond at most.
  return Math.max(0, Math.round((span.duration - covered * 1000) * 1000) / 1000)
}
