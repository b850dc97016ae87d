/** Reports that browsers send by themselves (item type `raw_security`). */
import { hash } from 'node:crypto'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import { describeEvent } from '../error/describe.ts'
import { groupEvent } from '../error/grouping/index.ts'
import { storeError } from '../error/store.ts'
import type { ItemContext } from '../item.ts'
import { refusedItem } from '../item.ts'
import { itemRefusal } from '../container.ts'
import { normalizeEvent } from '../../steps/normalize/index.ts'
import { decodeJson } from '@afterimage/protocol/json'
import { scrubEvent } from '../../steps/scrub/index.ts'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { effectiveDirective, reportText } from './group.ts'
import { readReports } from './reports.ts'
import type { SecurityReport } from './reports.ts'

export function processSecurity(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const json = decodeJson(item.payload)
  if (isRefusal(json)) return refusedItem(item.header.type, itemRefusal(json))
  const reports = readReports(json.value)
  if (isRefusal(reports)) return refusedItem(item.header.type, itemRefusal(reports))
  const stored = reports.map((report, place) => processReport(report, place, item, context))
  return {
    type: item.header.type,
    quantity: reports.length,
    rows: stored.flatMap(({ rows }) => rows),
    blobs: [],
    effects: stored.flatMap(({ effects }) => effects),
    refusal: null,
  }
}

function processReport(
  report: SecurityReport,
  place: number,
  item: EnvelopeItem,
  context: ItemContext,
): ProcessedItem {
  const event = normalizeEvent(rawEvent(report, item, context), placed(context, place))
  // An object that was built here is one; only senders can bring something else.
  if (isRefusal(event)) return refusedItem(item.header.type, itemRefusal(event))
  addPolicyTags(event)
  scrubEvent(event, context.scrubbing)
  return storeError(item.header.type, event, describeEvent(event), groupEvent(event), context)
}

/** The first report of a body has the envelope's id; each further one needs one of its own. */
function placed(context: ItemContext, place: number): ItemContext {
  if (place === 0) return context
  const id = hash('sha256', `${context.envelopeHash}/${context.index}/${place}`).slice(0, 32)
  return { ...context, header: { ...context.header, event_id: id } }
}

function rawEvent(
  { type, body, userAgent }: SecurityReport,
  { header }: EnvelopeItem,
  context: ItemContext,
): Record<string, unknown> {
  const agent = userAgent ?? context.userAgent
  const headers: [string, unknown][] = []
  if (agent !== null) headers.push(['User-Agent', agent])
  if (body['referrer']) headers.push(['Referer', body['referrer']])
  return {
    type,
    [type]: body,
    logger: type,
    level: 'error',
    platform: 'other',
    release: header['sentry_release'],
    environment: header['sentry_environment'],
    request: { url: body['document_uri'] ?? body['hostname'], headers },
  }
}

function addPolicyTags(event: NormalizedEvent): void {
  if (event.type !== 'csp') return
  const directive = effectiveDirective(event)
  const blocked = reportText(event, 'blocked_uri')
  if (directive !== '') event.tags['effective-directive'] = directive.slice(0, 200)
  if (blocked !== '') event.tags['blocked-uri'] = blocked.split(/[?#]/, 1)[0]!.slice(0, 200)
}
