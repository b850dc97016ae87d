import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { matches } from '@afterimage/sdk-core/matches'
import { watchPages } from './pages.ts'
import { watchRequests } from './requests.ts'
import { addTimeline, watchLongFrames } from './timeline.ts'
import { limitRate, startTracing, state } from './tracer.ts'
import type { TracingOptions } from './tracing-options.ts'
import { watchVitals } from './web-vitals.ts'

/** Measures page loads, navigations, requests, resources, long frames and web vitals. */
export function browserTracing(options: TracingOptions = {}): Integration {
  return tracing(options, watchVitals)
}

/** Measures the same without web vitals, and without their bytes. */
export function pageTracing(options: TracingOptions = {}): Integration {
  return tracing(options)
}

function tracing(options: TracingOptions, watchMore?: () => void): Integration {
  return {
    name: 'tracing',
    setup(client) {
      const frames = guard(watchLongFrames)
      const undo = [
        startTracing(client, options, [addTimeline, () => frames?.ending()]),
        () => frames?.stop(),
        ...watchRequests(),
        ...watchPages(),
      ]
      watchMore?.()
      return undo
    },
    restrict: ({ tracesSampleRate }) => limitRate(tracesSampleRate),
    processEvent(event) {
      const root = state.current?.spans[0]
      if (event.type === 'transaction') {
        if (matches(event.transaction ?? '', state.options.ignoreTransactions)) return null
      } else if (!event.type && root) {
        event.transaction ??= root.name
        // An uncaught error means that the page failed.
        if (event.exception?.values.some((it) => it.mechanism?.handled === false)) {
          root.setStatus('internal_error')
        }
      }
      return event
    },
  }
}
