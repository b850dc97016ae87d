import { futureMsMax, sessionAgeMsMax } from '@afterimage/protocol/limits'
import { type JsonObject } from '@afterimage/protocol/json'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { Row } from '../../../storage/events/tables.ts'
import { readCount, readLabel, readNumber } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { readTime } from '../../steps/normalize/time.ts'
import { isIP } from 'node:net'
import type { SessionApp } from './index.ts'

const terminalStatuses = new Set(['exited', 'crashed', 'abnormal', 'unhandled'])
const dayMs = 86_400_000

/** A session's update. It is known by sid and sequence number, or by sid and time where SDKs give none. */
export function sessionRow(raw: JsonObject, app: SessionApp, context: ItemContext): Row | Refusal {
  const sid = readHexId(raw['sid'], 32)
  if (sid === null) return refuse('invalid_identifier', 'A session needs a sid.')
  const status = readStatus(raw['status'])
  if (status === null) return refuse('invalid_payload', 'A session has an unknown status.')
  const sentStart = readTime(raw['started'])
  if (sentStart === null) return refuse('invalid_timestamp', 'A session needs its start.')
  const startedAt = readStart(sentStart, context)
  if (typeof startedAt !== 'number') return startedAt
  const sentAt = readTime(raw['timestamp'])
  const timestamp = sentAt === null ? context.receivedAt : sentAt + context.clockDriftMs
  const isInit = raw['init'] === true
  const seq = readCount(raw['seq'])
  return {
    table: 'sessions',
    timestamp: Math.min(Math.max(timestamp, startedAt), context.receivedAt + futureMsMax),
    columns: {
      ...app,
      key: `${sid}:${seq ?? sessionMoment(sentAt, status, context)}`,
      sid,
      did: readDistinctId(raw['did'], context),
      status,
      seq,
      isInit: isInit ? 1 : 0,
      startedAt,
      durationS: readDuration(raw['duration']),
      errors: readErrors(raw['errors'], status),
      exited: null,
      errored: null,
      abnormal: null,
      crashed: null,
    },
  }
}

/**
 * Returns the key that tells two updates of a session apart when they have no sequence number. Two
 * updates may share a millisecond, so the status is part of the key.
 */
function sessionMoment(sentAt: number | null, status: string, context: ItemContext): string {
  return `${sentAt ?? `${context.envelopeHash}:${context.index}`}:${status}`
}

/** Builds the row of one aggregate: sessions that began in one minute, counted by outcome. */
export function aggregateRow(
  raw: JsonObject,
  index: number,
  app: SessionApp,
  context: ItemContext,
): Row | Refusal {
  const sentStart = readTime(raw['started'])
  if (sentStart === null) return refuse('invalid_timestamp', 'An aggregate needs its start.')
  const startedAt = readStart(sentStart, context)
  if (typeof startedAt !== 'number') return startedAt
  const crashed = readCount(raw['crashed']) ?? 0
  const unhandled = readCount(raw['unhandled']) ?? 0
  return {
    table: 'sessions',
    timestamp: startedAt,
    columns: {
      ...app,
      key: `${context.envelopeHash}:${context.index}:${index}`,
      sid: null,
      did: readDistinctId(raw['did'], context),
      status: null,
      seq: null,
      isInit: null,
      startedAt,
      durationS: null,
      errors: null,
      exited: readCount(raw['exited']) ?? 0,
      // An unhandled error does not end a session, so the session counts as errored.
      errored: (readCount(raw['errored']) ?? 0) + unhandled,
      abnormal: readCount(raw['abnormal']) ?? 0,
      crashed,
    },
  }
}

function readStatus(raw: unknown): string | null {
  if (raw === undefined || raw === null) return 'ok'
  if (raw === 'ok') return 'ok'
  return typeof raw === 'string' && terminalStatuses.has(raw) ? raw : null
}

/** Returns the start after drift correction; refuses one outside the limits for the past or the future. */
function readStart(sentMs: number, { receivedAt, clockDriftMs }: ItemContext): number | Refusal {
  const startedAt = sentMs + clockDriftMs
  if (startedAt < receivedAt - sessionAgeMsMax) {
    return refuse('session_too_old', `A session began over ${sessionAgeMsMax / dayMs} days ago.`)
  }
  if (startedAt > receivedAt + futureMsMax) {
    return refuse('invalid_timestamp', 'A session begins after it was received.')
  }
  return startedAt
}

/** Returns the identity for counting people; an address only where the project stores them. */
function readDistinctId(raw: unknown, { scrubbing, remoteAddress }: ItemContext): string | null {
  const did = readLabel(raw, itemLimits.labelCharsMax)
  if (did === '{{auto}}') return scrubbing.storeIpAddresses ? remoteAddress : null
  return did !== null && isIP(did) !== 0 && !scrubbing.storeIpAddresses ? null : did
}

function readDuration(raw: unknown): number | null {
  const seconds = readNumber(raw)
  return seconds === null || seconds < 0 ? null : seconds
}

function readErrors(raw: unknown, status: string): number {
  const errors = readCount(raw) ?? 0
  return status === 'crashed' || status === 'unhandled' ? Math.max(1, errors) : errors
}
