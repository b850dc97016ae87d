import type { EnvelopeHeader } from '@afterimage/protocol/envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isRecord, readHexId } from './text.ts'

type Linked = Pick<NormalizedEvent, 'contexts' | 'tags'>

/**
 * The replay an event belongs to: its replay context, else the tag `replayId` (older SDKs), else
 * the trace header of its envelope. Null when it names none.
 */
export function linkedReplayId(event: Linked, header: EnvelopeHeader): string | null {
  const inHeader = isRecord(header.trace) ? header.trace['replay_id'] : null
  return (
    readHexId(event.contexts['replay']?.['replay_id'], 32) ??
    readHexId(event.tags['replayId'], 32) ??
    readHexId(inHeader, 32)
  )
}

/** The trace and the span an event happened in; null where it names none. */
export function linkedTrace(
  event: Linked,
  header: EnvelopeHeader,
): { readonly traceId: string | null; readonly spanId: string | null } {
  const trace = event.contexts['trace']
  const inHeader = isRecord(header.trace) ? header.trace['trace_id'] : null
  return {
    traceId: readHexId(trace?.['trace_id'], 32) ?? readHexId(inHeader, 32),
    spanId: readHexId(trace?.['span_id'], 16),
  }
}
