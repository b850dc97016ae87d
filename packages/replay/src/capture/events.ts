import { cleanAddress } from '@afterimage/browser/clean-address'
import type { Breadcrumb, SdkEvent } from '@afterimage/browser/event'
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
  const converting = new WeakSet<SdkEvent>()
  const addBreadcrumb = (breadcrumb: Breadcrumb): void => {
    const { timestamp = Date.now() / 1000, data, ...rest } = breadcrumb
    recorder.addCustom(
      'breadcrumb',
      { type: 'default', ...rest, timestamp, ...(data && { data }) },
      Number(timestamp) * 1000,
    )
  }

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
        addBreadcrumb({
          category: 'replay.hydrate-error',
          data: { url: cleanAddress(location.href, keepQuery) },
        })
      }
      if (state.mode === 'buffer') {
        const isWorth = isFeedback || (isError && event.exception !== undefined)
        if (!isWorth || Math.random() >= onErrorSampleRate) return event
        converting.add(event)
      }
      if (isError || isFeedback || event.type === 'transaction') tie(event, replayId)
      if (isFeedback) {
        addBreadcrumb({ category: 'sentry.feedback', data: { feedbackId: event.event_id } })
      }
      return event
    },
    afterSend(event, { status }) {
      if (status < 200 || status >= 300) return
      // A processor may have made a copy of it.
      const isTied = event.tags?.['replayId' as never] === recorder.replayId
      if (event.type === 'transaction') {
        recorder.outbox?.note('traceIds', event.contexts?.trace?.['trace_id'] as string | undefined)
      } else if (isTied) recorder.outbox?.note('errorIds', event.event_id)
      if (isTied || converting.has(event)) setTimeout(() => recorder.convert())
    },
    breadcrumb(breadcrumb) {
      const { category = '', message } = breadcrumb
      if (ownBreadcrumbs.test(category)) return
      addBreadcrumb(
        message ? { ...breadcrumb, message: cut(message, consoleCharactersMax) } : breadcrumb,
      )
    },
  }
}

/** Says which replay an event belongs to, in the places that servers look at. */
function tie(event: SdkEvent, replayId: string): void {
  const replay_id = replayId
  const { feedback } = event.contexts ?? {}
  event.tags = { ...(event.tags as Record<string, string> | undefined), replayId }
  event.contexts = {
    ...event.contexts,
    replay: { replay_id },
    ...(feedback && { feedback: { ...feedback, replay_id } }),
  }
}
