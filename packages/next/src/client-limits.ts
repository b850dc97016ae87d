import { baggageCharactersMax } from '@afterimage/browser/tracing-limits'
import * as recorder from '@afterimage/replay/limits'
import { breadcrumbsMax, messageCharactersMax } from '@afterimage/sdk-core/limits'

/** A limit of the client with its value. */
export interface ClientLimit {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'characters' | 'count'
}

/**
 * The limits that the client keeps (docs/specification.md#s12 to #s26), from the constants that it
 * keeps them by: for applications that show what they embed.
 */
export const clientLimits: readonly ClientLimit[] = [
  { name: 'Breadcrumbs on an event', value: breadcrumbsMax, unit: 'count' },
  { name: 'Trace header', value: baggageCharactersMax, unit: 'characters' },
  { name: 'A message', value: messageCharactersMax, unit: 'characters' },
  { name: 'Flush delay', value: recorder.flushDelayMs, unit: 'ms' },
  { name: 'Longest flush delay', value: recorder.flushDelayMaxMs, unit: 'ms' },
  { name: 'Shortest replay', value: recorder.replayMinMs, unit: 'ms' },
  { name: 'Longest replay', value: recorder.replayMaxMs, unit: 'ms' },
  { name: 'Idle pause', value: recorder.idlePauseMs, unit: 'ms' },
  { name: 'Idle expiry', value: recorder.idleExpiryMs, unit: 'ms' },
  { name: 'Recorded events waiting', value: recorder.bufferCharactersMax, unit: 'characters' },
  { name: 'Mutations at once', value: recorder.mutationsMax, unit: 'count' },
  { name: 'Mutations worth a breadcrumb', value: recorder.mutationsNotable, unit: 'count' },
  { name: 'Slow click', value: recorder.slowClickMs, unit: 'ms' },
  { name: 'Requests for a segment', value: 1 + recorder.retryWaitsMs.length, unit: 'count' },
  { name: 'A recorded body', value: recorder.bodyCharactersMax, unit: 'characters' },
  { name: 'Recorder events at once', value: recorder.customEventsMax, unit: 'count' },
  { name: 'At once means within', value: recorder.customEventsMs, unit: 'ms' },
]
