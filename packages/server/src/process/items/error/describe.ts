import type { EventException, EventFrame, NormalizedEvent } from '@afterimage/protocol/event'
import { cut } from '../../steps/normalize/text.ts'
import { eventLimits } from '../../steps/normalize/limits.ts'
import { describeReport } from '../security/describe.ts'

/** The description of an event in lists. */
export interface EventDescription {
  readonly title: string
  readonly culprit: string
  /** The file or the page where it happened; null when unknown. */
  readonly location: string | null
  readonly metadata: {
    readonly type?: string
    readonly value?: string
    readonly filename?: string
    readonly function?: string
  }
}

const titleMax = 256

/** The title says type and first line of the thrown exception, else the message. */
export function describeEvent(event: NormalizedEvent): EventDescription {
  if (event.security) return describeReport(event)
  const thrown = event.exception?.at(-1) ?? null
  const frame = crashFrame(event)
  const title =
    thrown === null
      ? firstLine(event.logentry?.formatted) || '<unlabeled event>'
      : exceptionTitle(thrown, frame)
  const metadata: { type?: string; value?: string; filename?: string; function?: string } = {}
  if (thrown?.type !== undefined) metadata.type = cut(thrown.type, 128)
  if (thrown?.value !== undefined) metadata.value = cut(thrown.value, 1024)
  if (frame?.filename !== undefined) metadata.filename = frame.filename
  if (frame?.function !== undefined) metadata.function = frame.function
  return {
    title: cut(title, titleMax),
    culprit: cut(culpritOf(event, thrown, frame), eventLimits.culprit),
    location: frame?.filename ?? null,
    metadata,
  }
}

function exceptionTitle(exception: EventException, frame: EventFrame | null): string {
  const value = firstLine(exception.value)
  if (exception.type === undefined) return value || frame?.function || '<unknown>'
  return value ? `${exception.type}: ${value}` : exception.type
}

/** The first line that says something. */
export function firstLine(text: string | undefined): string {
  if (text === undefined) return ''
  const trimmed = text.trim()
  const end = trimmed.search(/[\r\n]/)
  return end < 0 ? trimmed : trimmed.slice(0, end).trimEnd()
}

/** The newest frame of the application, else the newest of all; null without a stack trace. */
export function crashFrame(event: NormalizedEvent): EventFrame | null {
  const frames = framesOf(event)
  return frames.findLast((frame) => frame.in_app) ?? frames.at(-1) ?? null
}

function framesOf(event: NormalizedEvent): readonly EventFrame[] {
  const thrown = event.exception?.at(-1)?.stacktrace
  if (thrown) return thrown.frames
  if (event.stacktrace) return event.stacktrace.frames
  const thread = event.threads?.find(({ crashed, current }) => crashed === true || current === true)
  return thread?.stacktrace?.frames ?? []
}

function culpritOf(
  event: NormalizedEvent,
  thrown: EventException | null,
  frame: EventFrame | null,
): string {
  const named = event.transaction ?? event.culprit
  if (named !== undefined) return named
  if (thrown?.mechanism?.synthetic === true) return ''
  if (frame === null) return event.request?.url ?? ''
  const place = frame.module ?? frame.filename ?? ''
  const platform = frame.platform ?? event.platform
  if (platform === 'javascript' || platform === 'node') {
    return `${frame.function ?? '?'}(${place || '?'})`
  }
  if (frame.function === undefined) return place
  return place === '' ? frame.function : `${place} in ${frame.function}`
}
