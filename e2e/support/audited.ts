import { expect } from 'vitest'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
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

export interface Expected {
  /** Requests whose address contains one of these are those of the framework. */
  readonly ignored?: readonly string[]
  /** The words around canaries that the application sends on purpose. */
  readonly allowed?: RegExp
}

/** Audits a page of an application with its client, and expects reports of these types without a leak. */
export async function expectNoLeaks(
  address: string,
  types: readonly string[],
  { ignored = [], allowed }: Expected = {},
): Promise<void> {
  const result = await audit(address, places, { ignored })
  expect(leaksOf(result).filter((it) => allowed?.test(it) !== true)).toEqual([])
  expect(result.unread).toEqual([])
  // Not vacuous: the page was used, and what may be told was.
  expect(itemTypes(result)).toEqual(expect.arrayContaining([...types]))
  expect(result.told.map(({ place }) => place.name)).toContain('words of an error')
}
