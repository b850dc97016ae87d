import type { ApiSpan, ApiTrace } from '@afterimage/protocol/api/trace'
import { duration } from '../replay/timeline/clock.ts'
import { extentOf, isFailed, spanRows, type SpanRow } from './span-rows.ts'

/** A wait below this share of the whole is not worth a sentence. */
const findingShareMin = 0.2

/**
 * Writes the sentence that opens a trace, from its spans alone: its duration, and its longest wait
 * when that is a fifth of it or more.
 */
export function traceSentence(trace: ApiTrace): string {
  const rows = spanRows(trace)
  const root = rows[0]
  if (root === undefined) return 'No spans of this trace are kept'
  const { durationMs } = extentOf(trace)
  const took = `${titleOf(root.span)} took ${duration(root.span.duration)}`
  const finding = findingOf(rows, Math.max(root.span.duration, 1))
  const failures = rows.filter((row) => row.isFailed).length
  const errors =
    trace.orphan_errors.length + rows.reduce((sum, row) => sum + row.span.errors.length, 0)
  if (finding !== null) return `${took}; ${finding}`
  if (isFailed(root.span.status)) return `${took}; it failed`
  if (errors > 0) return `${took}; it met ${errors === 1 ? 'an error' : `${errors} errors`}`
  if (failures > 0)
    return `${took}; ${failures === 1 ? 'a span' : `${failures} spans`} in it failed`
  if (durationMs > root.span.duration * 1.5 && rows.length > 1) {
    return `${took}; the trace went on for ${duration(durationMs)}`
  }
  return took
}

/** Returns the page or route for its own span, else the span's name. */
export function titleOf(span: ApiSpan): string {
  const page = pageOf(span)
  return page ?? (span.name === '' ? span.op : span.name)
}

/** Plain names say nothing ("Pageload"): the address is in an attribute. */
function pageOf(span: ApiSpan): string | null {
  if (!/^(?:pageload|navigation)$/i.test(span.name)) return null
  for (const name of ['url.template', 'http.route', 'url.path']) {
    const value = span.attributes[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return span.transaction
}

function findingOf(rows: readonly SpanRow[], wholeMs: number): string | null {
  const waits = new Map<string, SpanRow[]>()
  for (const row of rows.slice(1)) {
    const key = waitOf(row.span)
    if (key !== null) waits.set(key, [...(waits.get(key) ?? []), row])
  }
  const own = hostOf(rows[0]?.span)
  const longest = [...waits]
    .filter(([key]) => key !== `for ${own ?? ''}`)
    .map(([key, members]) => ({ key, ms: covered(members) }))
    .sort((a, b) => b.ms - a.ms)[0]
  if (longest === undefined || longest.ms < wholeMs * findingShareMin) return null
  return `it waited ${duration(longest.ms)} ${longest.key}`
}

/** Names the host (`for carrier.example`) or database (`for postgresql`) that a span waits for. */
function waitOf(span: ApiSpan): string | null {
  if (/^http\.client|^http$/.test(span.op)) {
    const host = hostOf(span)
    return host === null ? null : `for ${host}`
  }
  // The document itself: the time for which the browser had nothing to draw.
  if (/^browser\.request$/i.test(span.op)) return 'for its server'
  if (span.op === 'db' || span.op.startsWith('db.')) {
    const system = span.attributes['db.system.name'] ?? span.attributes['db.system']
    return typeof system === 'string' && system !== '' ? `for ${system}` : 'for its database'
  }
  return null
}

function hostOf(span: ApiSpan | undefined): string | null {
  if (span === undefined) return null
  const address = span.attributes['server.address']
  if (typeof address === 'string' && address !== '') return address
  for (const text of [span.attributes['url.full'], span.attributes['url'], span.name]) {
    const found = typeof text === 'string' ? /https?:\/\/([^/\s?#]+)/.exec(text)?.[1] : undefined
    if (found !== undefined) return found
  }
  return null
}

/** Time covered by at least one of the spans: two at once are waited for once. */
export function covered(rows: readonly Pick<SpanRow, 'at' | 'until'>[]): number {
  const sorted = [...rows].sort((a, b) => a.at - b.at)
  let total = 0
  let end = Number.NEGATIVE_INFINITY
  for (const { at, until } of sorted) {
    if (until <= end) continue
    total += until - Math.max(at, end)
    end = until
  }
  return total
}

/** Describes a span within its trace, in a sentence or two; empty without anything notable. */
export function spanSentence(row: SpanRow, rows: readonly SpanRow[], wholeMs: number): string {
  const parts: string[] = []
  const twins = rows.filter(
    (other) => other.span.op === row.span.op && other.span.name === row.span.name,
  )
  if (twins.length > 1) {
    const place = twins.indexOf(row) + 1
    const failedBefore = twins.slice(0, place - 1).filter((twin) => twin.isFailed).length
    parts.push(
      `${place} of ${twins.length} alike${failedBefore > 0 ? `, ${failedBefore} failed before` : ''}.`,
    )
  }
  const share = wholeMs > 0 ? row.span.duration / wholeMs : 0
  if (share >= 0.01 && row.parent !== null) parts.push(`${Math.round(share * 100)} % of the trace.`)
  if (row.isFailed) parts.push(`It failed: ${row.span.status}.`)
  return parts.join(' ')
}
