import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { itemRefusal, refusedParts } from '../container.ts'
import { asList, memberOf, readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { readEnvironment, readRelease } from '../../steps/normalize/names.ts'
import { isRecord } from '../../steps/normalize/text.ts'
import { releaseEffects } from '../release-effect.ts'
import { aggregateRow, sessionRow } from './row.ts'

/** The application that a session ran in. */
export interface SessionApp {
  readonly release: string
  readonly environment: string | null
}

/** One update of one session, from its start to its end. */
export function processSession(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  if (isRefusal(raw)) return refusedItem('session', itemRefusal(raw))
  const app = readApp(raw)
  const row = isRefusal(app) ? app : sessionRow(raw, app, context)
  if (isRefusal(app)) return refusedItem('session', itemRefusal(app))
  if (isRefusal(row)) return refusedItem('session', itemRefusal(row))
  const effects = releaseEffects({ ...app, timestamp: row.timestamp })
  return { type: 'session', quantity: 1, rows: [row], blobs: [], effects, refusal: null }
}

/** Sessions that a server counted itself, by the minute in which they began. */
export function processSessions(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  if (isRefusal(raw)) return refusedItem('sessions', itemRefusal(raw))
  const app = readApp(raw)
  if (isRefusal(app)) return refusedItem('sessions', itemRefusal(app))
  const { rows, refusals } = readBuckets(asList(raw['aggregates']), app, context)
  const first = refusals[0] ?? refuse('missing_field', 'Sessions need a list of aggregates.')
  const latest = rows.at(-1)
  if (latest === undefined) return refusedItem('sessions', itemRefusal(first))
  return {
    type: 'sessions',
    quantity: 1,
    rows,
    blobs: [],
    effects: releaseEffects({ ...app, timestamp: latest.timestamp }),
    refusal: null,
    ...refusedParts(refusals),
  }
}

function readBuckets(
  list: readonly unknown[],
  app: SessionApp,
  context: ItemContext,
): { rows: Row[]; refusals: Refusal[] } {
  const rows: Row[] = []
  const refusals: Refusal[] = []
  for (const [index, bucket] of list.entries()) {
    const row =
      index >= itemLimits.sessionBucketsMax
        ? refuse(
            'too_large',
            `Sessions may hold at most ${itemLimits.sessionBucketsMax} aggregates.`,
          )
        : isRecord(bucket)
          ? aggregateRow(bucket, index, app, context)
          : refuse('invalid_payload', 'An aggregate must be a JSON object.')
    if (isRefusal(row)) refusals.push(row)
    else rows.push(row)
  }
  return { rows, refusals }
}

function readApp(raw: JsonObject): SessionApp | Refusal {
  const release = readRelease(readLabel(memberOf(raw, 'attrs', 'release'), 250), [])
  if (release === null) return refuse('missing_field', 'A session needs attrs.release.')
  return { release, environment: readEnvironment(memberOf(raw, 'attrs', 'environment'), []) }
}
