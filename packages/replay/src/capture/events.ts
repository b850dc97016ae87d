import { cleanAddress } from '@afterimage/browser/clean-address'
import type { SdkEvent } from '@afterimage/browser/event'
import type { Integration } from '@afterimage/browser/integration'
import { cut } from '@afterimage/browser/normalize'
import { consoleCharactersMax } from '../limits.ts'
import type { ReplayOptions } from '../options.ts'
import type { Recorder } from '../recorder.ts'

/** React's own words for a page that is not what the server sent. */
const hydrationErrors =
  /(errors\/|error #)4(18|19|2[1235])\b|not match server-rendered HTML|Hydration failed because/i

/** Breadcrumbs that the recorder makes itself, with more in them. */
const ownBreadcrumbs = /^(ui\.click|fetch|xhr|navigation|sentry\.(event|transaction))$/

/** What the recorder does with the client's own events and breadcrumbs. */
export function clientHooks(
  recorder: Recorder,
  { onErrorSampleRate = 1 }: ReplayOptions,
  keepQuery: readonly string[] | undefined,
): Required<Pick<Integration, 'processEvent' | 'afterSend' | 'breadcrumb'>> {
  return {
    processEvent(event) {
      const replayId = recorder.replayId
      const { state } = recorder
      if (replayId === null || state.name !== 'running') return event
      const isFeedback = event.type === 'feedback'
      const isError = event.type === undefined
      if (
        isError &&
        event.exception?.values.some(({ value }) => hydrationErrors.test(value ?? ''))
      ) {
        const url = cleanAddress(location.href, keepQuery)
        recorder.addBreadcrumb('replay.hydrate-error', { data: { url } })
      }
      if (state.mode === 'buffer') {
        const isWorth = isFeedback || (isError && event.exception !== undefined)
        if (!isWorth || Math.random() >= onErrorSampleRate) return event
      }
      if (isError || isFeedback || event.type === 'transaction') tie(event, replayId)
      if (isFeedback) {
        recorder.addBreadcrumb('sentry.feedback', { data: { feedbackId: event.event_id } })
      }
      return event
    },
    afterSend(event, { status }) {
      if (status < 200 || status >= 300) return
      const isTied = event.tags?.['replayId' as never] === recorder.replayId
      if (event.type === 'transaction') {
        recorder.outbox?.note('traceIds', event.contexts?.trace?.['trace_id'] as string | undefined)
      } else if (isTied) recorder.outbox?.note('errorIds', event.event_id)
      if (isTied) setTimeout(() => recorder.convert())
    },
    breadcrumb({ category = '', message = '', timestamp, ...rest }) {
      if (ownBreadcrumbs.test(category)) return
      const more = { ...rest, message: cut(message, consoleCharactersMax) }
      recorder.addBreadcrumb(category, more, timestamp ? Number(timestamp) * 1000 : undefined)
    },
  }
}

/** Says which replay an event belongs to, in the places that servers look at. */
function tie(event: SdkEvent, replay_id: string): void {
  const { feedback } = event.contexts ?? {}
  event.tags = { ...(event.tags as Record<string, string> | undefined), replayId: replay_id }
  event.contexts = {
    ...event.contexts,
    replay: { replay_id },
    ...(feedback && { feedback: { ...feedback, replay_id } }),
  }
}
