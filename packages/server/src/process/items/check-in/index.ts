import { isCheckInStatus, normalizeMonitorSlug } from '@afterimage/protocol/check-in'
import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { MonitorEffect, ProcessedItem } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { itemRefusal } from '../container.ts'
import { memberOf, readNumber } from '../fields.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { boundedBag } from '../../steps/normalize/bag.ts'
import { bagLimits } from '../../steps/normalize/limits.ts'
import { readEnvironment, readRelease } from '../../steps/normalize/names.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { correctTime } from '../../steps/normalize/time.ts'
import { releaseEffects } from '../release-effect.ts'

/** Sentry's name for the environment of a check-in that gives none. */
const defaultEnvironment = 'production'

interface CheckIn {
  readonly row: Row
  readonly effect: MonitorEffect
  readonly release: string | null
}

/**
 * A check-in of a scheduled job. A check-in without an id, or with the nil id, means the one that is
 * in progress: which that is only metadata knows, so its row gets an id of its own.
 */
export function processCheckIn(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  const checkIn = isRefusal(raw) ? raw : readCheckIn(raw, context)
  if (isRefusal(checkIn)) return refusedItem('check_in', itemRefusal(checkIn))
  const { row, effect, release } = checkIn
  const { environment, timestamp } = effect
  return {
    type: 'check_in',
    quantity: 1,
    rows: [row],
    blobs: [],
    effects: [effect, ...releaseEffects({ release, environment, timestamp })],
    refusal: null,
  }
}

function readCheckIn(raw: JsonObject, context: ItemContext): CheckIn | Refusal {
  const slug = normalizeMonitorSlug(raw['monitor_slug'])
  if (slug === null) return refuse('missing_field', 'A check-in needs a monitor_slug.')
  const status = raw['status']
  if (!isCheckInStatus(status)) {
    return refuse('invalid_payload', 'The status of a check-in is in_progress, ok or error.')
  }
  const durationS = readNumber(raw['duration'])
  const release = readRelease(raw['release'], [])
  const environment = readEnvironment(raw['environment'], []) ?? defaultEnvironment
  const { timestamp } = correctTime(raw['timestamp'] ?? context.header.sent_at, context, [])
  const config = boundedBag(raw['monitor_config'], bagLimits.medium)
  return {
    release,
    effect: { type: 'monitor', slug, status, environment, timestamp, config },
    row: {
      table: 'checkIns',
      timestamp,
      columns: {
        checkInId:
          readHexId(raw['check_in_id'], 32) ??
          `${context.envelopeHash.slice(0, 24)}:${context.index}`,
        monitorSlug: slug,
        status,
        durationS: durationS === null || durationS < 0 ? null : durationS,
        release,
        environment,
        traceId: readHexId(memberOf(raw, 'contexts', 'trace', 'trace_id'), 32),
      },
    },
  }
}
