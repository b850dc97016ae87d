import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { Integration } from '@afterimage/sdk-core/integration'
import { cut } from '@afterimage/sdk-core/normalize'
import { isTaken } from '@afterimage/sdk-core/transport'
import { consoleCharactersMax } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import { isUnanswered } from '../outbox.ts'
import type { Recorder } from '../recorder.ts'
import { isSending } from '../state.ts'

/** React's messages for a page that differs from the server's HTML. */
const hydrationErrors =
  /(errors\/|error #)4(18|19|2[1235])\b|not match server-rendered HTML|Hydration failed/i

/** Breadcrumbs that the recorder records itself, in more detail. */
const ownBreadcrumbs = /^(ui\.click|fetch|xhr|navigation|sentry\.(event|transaction))$/

/** Handles the client's own events and breadcrumbs for the recorder. */
export function clientHooks(
  recorder: Recorder,
  { onErrorSampleRate = 1 }: ReplayOptions,
  address: () => string,
): Required<Pick<Integration, 'processEvent' | 'willSend' | 'afterSend' | 'breadcrumb'>> {
  const isTied = ({ tags }: SdkEvent): boolean => tags?.['replayId' as never] === recorder.replayId
  return {
    processEvent(event) {
      const { replayId, state } = recorder
      if (!replayId) return event
      const feedback = event.contexts?.feedback
      if (event.exception?.values.some(({ value }) => hydrationErrors.test(value!))) {
        recorder.addBreadcrumb('replay.hydrate-error', { data: { url: address() } })
      }
      if (!isSending(state)) {
        if (!(feedback || event.exception) || Math.random() >= onErrorSampleRate) return event
      }
      // Servers look for the replay in these two places.
      const replay = { replay_id: replayId }
      event.tags = { ...(event.tags as Record<string, string> | undefined), replayId }
      event.contexts = {
        ...event.contexts,
        replay,
        ...(feedback && { feedback: { ...feedback, ...replay } }),
      }
      if (feedback) {
        recorder.addBreadcrumb('sentry.feedback', { data: { feedbackId: event.event_id } })
      }
      return event
    },
    willSend(event, _hint, { options }) {
      // Sampling may discard this event, and then no answer would ever come.
      const isSure = !(options.sampleRate! < 1)
      if (isSure && event.type !== 'transaction' && isTied(event)) {
        recorder.unanswered = event.event_id
      }
    },
    afterSend(event, answer) {
      const isAccepted = isTaken(answer)
      // Browsers fail the requests of a page that is being left, although they may still arrive.
      if (!isAccepted && isUnanswered(answer)) return
      if (event.event_id === recorder.unanswered) recorder.unanswered = undefined
      if (!isAccepted) return
      if (event.type === 'transaction') {
        recorder.outbox?.note('traceIds', event.contexts?.trace?.['trace_id'] as string | undefined)
      } else if (isTied(event)) {
        recorder.outbox?.note('errorIds', event.event_id)
        recorder.convert()
      }
    },
    breadcrumb({ category = '', message = '', timestamp, ...rest }) {
      if (ownBreadcrumbs.test(category)) return
      const more = { ...rest, message: cut(message, consoleCharactersMax) }
      recorder.addBreadcrumb(category, more, timestamp ? Number(timestamp) * 1000 : undefined)
    },
  }
}
