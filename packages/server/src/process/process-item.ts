import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isHandledItemType, type HandledItemType } from '@afterimage/protocol/item-type'
import type { ProcessedItem } from '../storage/events/port.ts'
import { processAttachment } from './items/attachment/index.ts'
import { processCheckIn } from './items/check-in/index.ts'
import { processClientReport } from './items/client-report/index.ts'
import { processError } from './items/error/index.ts'
import { processFeedback } from './items/feedback/index.ts'
import { refusedItem, type ItemContext, type ProcessItem } from './items/item.ts'
import { processLogs } from './items/log/index.ts'
import { processMetrics } from './items/metric/index.ts'
import { processReplayEvent, processReplayRecording } from './items/replay/index.ts'
import { processSecurity } from './items/security/index.ts'
import { processSession, processSessions } from './items/session/index.ts'
import { processSpan } from './items/span/index.ts'
import { processTransaction } from './items/transaction/index.ts'
import { processUserReport } from './items/user-report/index.ts'

/** The folder of each type of item. */
const folders: Readonly<Record<HandledItemType, ProcessItem>> = {
  event: processError,
  transaction: processTransaction,
  span: processSpan,
  replay_event: processReplayEvent,
  replay_recording: processReplayRecording,
  session: processSession,
  sessions: processSessions,
  check_in: processCheckIn,
  client_report: processClientReport,
  attachment: processAttachment,
  user_report: processUserReport,
  feedback: processFeedback,
  raw_security: processSecurity,
  log: processLogs,
  trace_metric: processMetrics,
  metric: processMetrics,
}

/** Longer type names count as `other`, so that a sender cannot fill the rollups. */
const typeCharsMax = 32

/**
 * Turns one item into the rows and counts to store. Profiles, native crashes, mobile replays and
 * types of newer SDKs are not supported: they are counted under their own type, and dropped.
 */
export function processItem(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const { type } = item.header
  if (isHandledItemType(type)) return wellFormed(folders[type as HandledItemType](item, context))
  const name = /^[a-z][a-z0-9_]*$/.test(type) && type.length <= typeCharsMax ? type : 'other'
  return refusedItem(name, {
    outcome: 'unsupported',
    reason: 'unsupported_item_type',
    detail: `Items of type ${type.slice(0, 100)} are not processed.`,
  })
}

/** Text that was cut through a surrogate pair, or never was a text, is made one before it is stored. */
function wellFormed(item: ProcessedItem): ProcessedItem {
  if (item.rows.every((row) => isWellFormed(row.columns) && isWellFormed(row.tags))) return item
  const rows = item.rows.map((row) => ({
    ...row,
    columns: repaired(row.columns),
    ...(row.tags === undefined ? {} : { tags: repaired(row.tags) }),
  }))
  return { ...item, rows: rows as unknown as ProcessedItem['rows'] }
}

function isWellFormed(record: object | undefined): boolean {
  for (const value of Object.values(record ?? {})) {
    if (typeof value === 'string' && !value.isWellFormed()) return false
  }
  return true
}

function repaired(record: object): object {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : (value as unknown),
    ]),
  )
}
