import type { KeyTerm } from './parse.ts'

/** The bounds that a term of time sets, ms: at or after `from`, before `to`. */
export interface TimeBounds {
  readonly from: number | null
  readonly to: number | null
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * Reads `>2026-01-01`, a day, a minute, or an age: `-7d` is within the last seven days, `+7d` longer
 * ago. Null when the value is not a time.
 */
export function timeBoundsOf(
  term: Pick<KeyTerm, 'comparison' | 'values'>,
  now: number,
): TimeBounds | null {
  const text = term.values[0] ?? ''
  const age = /^([+-])(\d{1,5})([mhdw])$/.exec(text)
  if (age !== null) {
    const at = now - Number(age[2]) * (UNITS_MS[age[3] ?? 'd'] ?? 0)
    return age[1] === '-' ? { from: at, to: null } : { from: null, to: at + 1 }
  }
  // A time without a zone is UTC, as everywhere in the API.
  const isUnzoned = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const at = text.length > 40 ? Number.NaN : Date.parse(isUnzoned ? `${text}Z` : text)
  if (Number.isNaN(at) || term.values.length > 1) return null
  switch (term.comparison) {
    case '>':
      return { from: at + 1, to: null }
    case '>=':
      return { from: at, to: null }
    case '<':
      return { from: null, to: at }
    case '<=':
      return { from: null, to: at + 1 }
    case '=':
      return { from: at, to: at + (text.length <= 10 ? 86_400_000 : 60_000) }
  }
}
