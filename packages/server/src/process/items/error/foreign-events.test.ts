import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { sharedFolder } from '../../../../../../tools/shared-folder.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processFeedback } from '../feedback/index.ts'
import { processSecurity } from '../security/index.ts'
import { processError } from './index.ts'

/** Event payloads of many SDKs, ages and languages: none makes us fail, and each becomes a row. */

function fixtureFiles(context: TestContext, ...folders: readonly string[]): string[] {
  const root = sharedFolder('fixtures')
  if (root === null) return context.skip('not run: the folder of fixtures is absent')
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
}

function processJson(payload: Uint8Array) {
  const envelope = envelopeOf('event', payload)
  return processError(envelope.items[0]!, itemContext(envelope, 0))
}

test('JSON events of other projects become rows with a title and a hash', (context) => {
  const folders = ['bugsink-event-samples', 'glitchtip-test-data', 'relay-2021']
  let rows = 0
  for (const file of fixtureFiles(context, ...folders)) {
    if (extname(file) !== '.json') continue
    const result = processJson(readFileSync(file))
    const [row] = result.rows
    if (row?.table !== 'errors') {
      // Lists of events, and events of other types, are refused by what they are.
      expect(result.refusal?.detail, file).toMatch(
        /must be a JSON object|needs an item of that type/,
      )
      continue
    }
    rows += 1
    expect(row.columns.title, file).toBeTruthy()
    expect(row.columns.groupingHash, file).toMatch(/^[0-9a-f]{32}$/)
    expect(row.columns.eventId, file).toMatch(/^[0-9a-f]{32}$/)
  }
  expect(rows).toBeGreaterThan(90)
})

test('every item of every recorded envelope of other languages is processed', (context) => {
  let rows = 0
  for (const file of fixtureFiles(context, 'spotlight-fixtures', 'generated-sdk', 'edge-cases')) {
    if (file.endsWith('.json')) continue
    const body = readFileSync(file)
    const envelope = decodeEnvelope(body)
    if (isRefusal(envelope)) continue
    // A body of the old store endpoint: one JSON object, which is also an envelope without items.
    if (envelope.items.length === 0 && 'platform' in envelope.header) {
      expect(processJson(body).refusal, file).toBeNull()
    }
    for (const [index, item] of envelope.items.entries()) {
      const about = itemContext(envelope, index)
      if (item.header.type === 'event') {
        const result = processError(item, about)
        if (result.refusal === null) rows += 1
        else expect(result.refusal.reason, file).toMatch(/^invalid_(json|encoding|payload)$/)
      }
      if (item.header.type === 'feedback') {
        expect(processFeedback(item, about).refusal, file).toBeNull()
      }
    }
  }
  expect(rows).toBeGreaterThan(25)
})

test('security reports of browsers become rows', (context) => {
  const files = fixtureFiles(context, 'relay-2021').filter((file) => file.endsWith('.input.json'))
  const titles = files
    .filter((file) => file.includes('security_report'))
    .map((file) => {
      const envelope = envelopeOf('raw_security', readFileSync(file))
      const [row] = processSecurity(envelope.items[0]!, itemContext(envelope, 0)).rows
      return row?.table === 'errors' ? row.columns.title : null
    })
  expect(titles.sort()).toEqual([
    "Blocked 'default-src' from 'evilhackerscripts.com'",
    "Blocked 'style' from 'self'",
    "Expect-CT failed for 'www.example.com'",
    "Expect-Staple failed for 'www.example.com'",
  ])
})
