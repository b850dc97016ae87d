import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isHandledItemType, type HandledItemType } from '@afterimage/protocol/item-type'
import type { ProcessedItem } from '../storage/events/port.ts'
import { processAttachment } from './attachment/index.ts'
import { processCheckIn } from './check-in/index.ts'
import { processClientReport } from './client-report/index.ts'
import { processError } from './error/index.ts'
import { processFeedback } from './feedback/index.ts'
import { refusedItem, type ItemContext, type ProcessItem } from './item.ts'
import { processLogs } from './log/index.ts'
import { processMetrics } from './metric/index.ts'
import { processReplayEvent, processReplayRecording } from './replay/index.ts'
import { processSecurity } from './security/index.ts'
import { processSession, processSessions } from './session/index.ts'
import { processSpan } from './span/index.ts'
import { processTransaction } from './transaction/index.ts'
import { processUserReport } from './user-report/index.ts'

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

/** Longer names of types are a sender's, and count as `other` so that they cannot fill the rollups. */
const typeCharsMax = 32

/**
 * Makes of one item what is to be stored and counted. Profiles, native crashes, mobile replays and
 * whatever a newer SDK may send are not supported: counted under their own type, and let go.
 */
export function processItem(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const { type } = item.header
  if (isHandledItemType(type)) return folders[type as HandledItemType](item, context)
  const name = /^[a-z][a-z0-9_]*$/.test(type) && type.length <= typeCharsMax ? type : 'other'
  return refusedItem(name, {
    outcome: 'unsupported',
    reason: 'unsupported_item_type',
    detail: `Items of type ${type.slice(0, 100)} are not processed.`,
  })
}
