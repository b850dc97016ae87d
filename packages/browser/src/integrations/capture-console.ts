import type { EventLevel } from '@afterimage/protocol/event'
import { captureEvent } from '@afterimage/sdk-core/api'
import { isFirstCapture } from '@afterimage/sdk-core/captured'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { exceptionEvent } from '@afterimage/sdk-core/exception'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { isError, normalize, textOf } from '@afterimage/sdk-core/normalize'
import { watchConsole } from '@afterimage/sdk-core/watch/console'
import { patch } from '@afterimage/sdk-core/watch/watch'

export type ConsoleLevel = 'debug' | 'info' | 'log' | 'warn' | 'error' | 'assert'

export interface CaptureConsoleOptions {
  /** Calls that are reported; `error` and failed assertions by default. */
  readonly levels?: readonly ConsoleLevel[]
  /** False counts errors on the console as uncaught. */
  readonly handled?: boolean
}

const eventLevels = {
  debug: 'debug',
  info: 'info',
  log: 'info',
  warn: 'warning',
  error: 'error',
  assert: 'error',
} as const satisfies Record<ConsoleLevel, EventLevel>

/**
 * Reports calls of the page to the console as events: the first Error among the values, else their
 * text. The values themselves are in `extra.arguments`.
 */
export function captureConsole(options: CaptureConsoleOptions = {}): Integration {
  const { levels = ['error', 'assert'], handled = true } = options

  function report(level: ConsoleLevel, values: readonly unknown[]): void {
    if (!levels.includes(level)) return
    const error = values.find(isError)
    if (error && !isFirstCapture(error)) return
    const hint = { mechanism: { type: 'console', handled }, originalException: error }
    const described: SdkEvent = error
      ? exceptionEvent(error, hint)
      : { message: values.map(textOf).join(' ') }
    captureEvent(
      {
        ...described,
        level: eventLevels[level],
        logger: 'console',
        extra: { arguments: normalize(values) },
      },
      hint,
    )
  }

  return {
    name: 'captureConsole',
    setup: () => [
      watchConsole(({ level, values }) => report(level, values)),
      patch(console, 'assert', (original) => (...values) => {
        const [isTrue, ...words] = values
        if (!isTrue) guard(() => report('assert', ['Assertion failed:', ...words]))
        original.apply(console, values)
      }),
    ],
  }
}
