import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'
import { audit, places, placesOfSecrets, type AuditResult } from './privacy-audit/index.ts'

/**
 * Runs `privacy-audit <url>`: opens the page in Chromium with a canary in every place where a secret
 * can hide, uses the page, and fails when a canary is in any byte that it sends. `--unmasked` seeds only
 * secrets that stay on the page even when all of it is unmasked.
 */
export async function privacyAudit(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      chromium: { type: 'string' },
      ignore: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      unmasked: { type: 'boolean', default: false },
    },
  })
  const address = positionals[0] ?? ''
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new UsageError(
      'privacy-audit: give the address of a page, beginning with http:// or https://',
    )
  }
  const result = await audit(address, values.unmasked ? placesOfSecrets : places, {
    ...(values.chromium === undefined ? {} : { chromium: values.chromium }),
    ignored: values.ignore ?? [],
    onStep: (step) => console.error(`${step} …`),
  })
  console.log(values.json ? JSON.stringify(summary(result), null, 2) : describe(result))
  if (verdict(result) !== 'clean') process.exitCode = 1
}

/** Decides the verdict. Silence proves nothing, and neither does a body that cannot be read. */
export function verdict({ leaks, reports, unread }: AuditResult): 'clean' | 'leaks' | 'unproven' {
  if (leaks.length > 0) return 'leaks'
  return reports.length === 0 || unread.length > 0 ? 'unproven' : 'clean'
}

/** Describes the result: each leak with its place, the request, and the text around it. */
export function describe(result: AuditResult): string {
  const { leaks, told, reports, unread } = result
  const bytes = reports.reduce((sum, { body }) => sum + body.length, 0)
  const lines = [
    `${result.places.length} places seeded; ${reports.length} requests with ${bytes} bytes searched.`,
  ]
  for (const { place, request, where, around } of leaks) {
    lines.push(`LEAK  ${place.name}`, `      ${request}, ${where}: …${around}…`)
  }
  for (const reason of new Set(told.map(({ place }) => place.told))) {
    const names = told.filter(({ place }) => place.told === reason).map(({ place }) => place.name)
    lines.push(`told  ${[...new Set(names)].join(', ')}: ${reason}`)
  }
  for (const request of unread) lines.push(`could not be read: ${request}`)
  const names = new Set(leaks.map(({ place }) => place.name))
  if (reports.length === 0) {
    lines.push('Nothing was sent, so nothing is proven. Does the page report to a server?')
  } else if (leaks.length > 0) lines.push(`${names.size} places leak.`)
  else if (unread.length > 0) lines.push('No canary was found, but not everything could be read.')
  else lines.push('No canary was sent.')
  return lines.join('\n')
}

function summary(result: AuditResult): object {
  return {
    verdict: verdict(result),
    places: result.places.length,
    requests: result.reports.length,
    leaks: plain(result.leaks),
    told: plain(result.told),
    unread: result.unread,
  }
}

function plain(leaks: AuditResult['leaks']): object[] {
  return leaks.map(({ place, ...leak }) => ({ place: place.name, ...leak }))
}
