import { expect } from 'vitest'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { verdict } from '../../packages/cli/src/privacy-audit.ts'
import { audit, places, type AuditResult } from '../../packages/cli/src/privacy-audit/index.ts'

/** Names each leak with its place and the text around it. */
export function leaksOf({ leaks }: AuditResult): string[] {
  return leaks.map(({ place, where, around }) => `${place.name}: ${where}: ${around}`)
}

/** Types of what was sent: the audit must have seen errors, replays and traces alike. */
export function itemTypes({ reports }: AuditResult): string[] {
  return reports.flatMap(({ body }) => {
    const envelope = decodeEnvelope(body)
    return isRefusal(envelope) ? [] : envelope.items.map(({ header }) => header.type)
  })
}

/**
 * Audits a page of an application with its client, and expects no leak. Requests whose address
 * contains one of `ignored` are those of its framework.
 */
export async function expectNoLeaks(
  address: string,
  types: readonly string[],
  ignored: readonly string[] = [],
): Promise<void> {
  const result = await audit(address, places, { ignored })
  expect(leaksOf(result)).toEqual([])
  expect(verdict(result)).toBe('clean')
  // Not vacuous: the page was used, and what may be told was.
  expect(itemTypes(result)).toEqual(expect.arrayContaining([...types]))
  expect(result.told.map(({ place }) => place.name)).toContain('words of an error')
}
