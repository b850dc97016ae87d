import { refuse } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'
import { isRecord } from '../../steps/normalize/text.ts'

/** One report of a browser, its members under snake_case names. */
export interface SecurityReport {
  readonly type: 'csp' | 'hpkp' | 'expectct' | 'expectstaple'
  readonly body: Readonly<Record<string, unknown>>
  /** The Reporting API tells which browser it was; null otherwise. */
  readonly userAgent: string | null
}

/** A page that breaks its policy everywhere fills an array; the first of it tell the story. */
const reportsMax = 100

const wrappers = [
  ['csp-report', 'csp'],
  ['expect-ct-report', 'expectct'],
  ['expect-staple-report', 'expectstaple'],
] as const

/**
 * The reports of a body in any of its forms: one wrapped object, an HPKP object, or an array (or
 * one item) of the Reporting API, of which other kinds than `csp-violation` are passed over.
 */
export function readReports(value: unknown): readonly SecurityReport[] | Refusal {
  const reports: SecurityReport[] = []
  for (const item of Array.isArray(value) ? value.slice(0, reportsMax) : [value]) {
    const report = isRecord(item) ? readReport(item) : null
    if (report !== null) reports.push(report)
  }
  return reports.length > 0
    ? reports
    : refuse('invalid_payload', 'The body holds no known security report.')
}

function readReport(item: Record<string, unknown>): SecurityReport | null {
  for (const [wrapper, type] of wrappers) {
    const body = item[wrapper]
    if (isRecord(body)) return { type, body: withSnakeCase(body), userAgent: null }
  }
  if (item['type'] === 'csp-violation' && isRecord(item['body'])) {
    const { user_agent: userAgent } = item
    return {
      type: 'csp',
      body: fromReportingApi(item['body']),
      userAgent: typeof userAgent === 'string' ? userAgent : null,
    }
  }
  if (Array.isArray(item['known-pins']) && typeof item['hostname'] === 'string') {
    return { type: 'hpkp', body: withSnakeCase(item), userAgent: null }
  }
  return null
}

function withSnakeCase(body: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key in body) if (key !== '__proto__') out[key.replaceAll('-', '_')] = body[key]
  return out
}

const reportingNames: readonly (readonly [sent: string, name: string])[] = [
  ['documentURL', 'document_uri'],
  ['referrer', 'referrer'],
  ['blockedURL', 'blocked_uri'],
  ['effectiveDirective', 'effective_directive'],
  ['originalPolicy', 'original_policy'],
  ['sourceFile', 'source_file'],
  ['sample', 'script_sample'],
  ['disposition', 'disposition'],
  ['statusCode', 'status_code'],
  ['lineNumber', 'line_number'],
  ['columnNumber', 'column_number'],
]

function fromReportingApi(body: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [sent, name] of reportingNames) {
    const value = body[sent]
    if (value !== undefined && value !== null && value !== '') out[name] = value
  }
  return out
}
