import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { sharedFolder } from '../../../tools/shared-folder.ts'
import { isContainer, readContainer } from './container.ts'
import { parseDsn } from './dsn.ts'
import { checkEventCount } from './envelope-limits.ts'
import { decodeEnvelope } from './envelope.ts'
import { isHandledItemType } from './item-type.ts'
import { decodeJson } from './json.ts'
import { isRefusal } from './outcome.ts'

/** Malformed and odd bodies, each with the answer that Sentry's own front door gives. */

interface EdgeCase {
  readonly file: string
  readonly expect_status: number
  readonly expect_usable_items: number
}

const fixtures = sharedFolder('fixtures')
const folder = fixtures === null ? null : join(fixtures, 'edge-cases')

function edgeCases(context: TestContext): { edge: EdgeCase; bytes: Uint8Array }[] {
  if (folder === null) return context.skip('not run: the folder of fixtures is absent')
  const cases = JSON.parse(readFileSync(join(folder, 'expectations.json'), 'utf8')) as EdgeCase[]
  return cases.map((edge) => ({ edge, bytes: readFileSync(join(folder, edge.file)) }))
}

/** The key and project that a request of these cases authenticates with: not those of case 032. */
const requestKey = '0123456789abcdef0123456789abcdef'

/** The status that framing alone, counts, and the comparison of the header's key call for. */
function statusOf(bytes: Uint8Array): number {
  const envelope = decodeEnvelope(bytes)
  if (isRefusal(envelope)) return 400
  if (checkEventCount(envelope) !== null) return 413
  const dsn = envelope.header.dsn === undefined ? null : parseDsn(envelope.header.dsn)
  return dsn !== null && (isRefusal(dsn) || dsn.publicKey !== requestKey) ? 400 : 200
}

test('every edge case is read or refused as its status says', (context) => {
  for (const { edge, bytes } of edgeCases(context)) {
    expect(statusOf(bytes), edge.file).toBe(edge.expect_status)
  }
})

test('every edge case that is read has the usable items it should', (context) => {
  for (const { edge, bytes } of edgeCases(context)) {
    const envelope = decodeEnvelope(bytes)
    if (isRefusal(envelope) || edge.expect_status !== 200) continue
    const usable = envelope.items.filter((item) => {
      if (!isHandledItemType(item.header.type)) return false
      if (item.header.type === 'attachment') return true
      const json = decodeJson(item.payload)
      if (isRefusal(json) || !isContainer(item)) return !isRefusal(json)
      return !isRefusal(readContainer(json.value, item.header))
    })
    expect(usable, edge.file).toHaveLength(edge.expect_usable_items)
  }
})
