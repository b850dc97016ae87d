import type { ClientSettings } from '@afterimage/protocol/client-settings'
import type { Client } from '@afterimage/sdk-core/client'
import type { ReplayOptions } from './options.ts'
import type { Privacy } from './privacy/privacy.ts'
import { compileSelectors } from './privacy/selectors.ts'
import type { Recorder } from './recorder.ts'

/** Returns the options with rates no higher than the server's settings, and with its selectors. */
export function limited(options: ReplayOptions, settings: ClientSettings): ReplayOptions {
  const { replaysSessionSampleRate: session, replaysOnErrorSampleRate: onError } = settings
  const { sessionSampleRate, onErrorSampleRate } = ratesOf(options)
  const { mask, block } = settings
  return {
    ...options,
    ...(session !== undefined && { sessionSampleRate: Math.min(sessionSampleRate, session) }),
    ...(onError !== undefined && { onErrorSampleRate: Math.min(onErrorSampleRate, onError) }),
    ...(mask && { mask: [options.mask, ...mask].filter(Boolean).join() }),
    ...(block && { block: [options.block, ...block].filter(Boolean).join() }),
  }
}

/** The parts of a recording that options are read from. */
export interface Followed {
  readonly options: ReplayOptions
  readonly privacy: Privacy
  readonly client: Client
  readonly recorder: Recorder | undefined
}

/** Makes a recording follow other options. The recorder reads its rates, and masks, in these objects. */
export function follow(
  next: ReplayOptions,
  { options, privacy, client, recorder }: Followed,
): void {
  const before = { ...options }
  Object.assign(options, next)
  Object.assign(privacy.selectors, compileSelectors(options, client.options.unmask))
  if (recorder) redraw(recorder, before, options)
}

/**
 * Makes a recorder that runs follow new options. A session that was drawn with a higher rate is
 * drawn again, and ends unless it is kept. Other selectors begin with a full snapshot.
 */
export function redraw(recorder: Recorder, before: ReplayOptions, now: ReplayOptions): void {
  if (!recorder.replayId) return
  const isSession = recorder.outbox?.session.sampled === 'session'
  const [was, is] = [before, now].map((options) => {
    const { sessionSampleRate, onErrorSampleRate } = ratesOf(options)
    return isSession ? sessionSampleRate : onErrorSampleRate
  }) as [number, number]
  if (is < was && Math.random() * was >= is) stop(recorder, false)
  else if (before.mask !== now.mask || before.block !== now.block) {
    recorder.leave()
    recorder.comeBack()
  }
}

/** Stops a recorder; unless `isFlushed`, what is not sent yet is discarded. */
export function stop(recorder: Recorder, isFlushed = true): void {
  recorder.stop('manual', isFlushed)
  if (!isFlushed) recorder.outbox?.takeUnsent([])
}

function ratesOf({ sessionSampleRate = 0.1, onErrorSampleRate = 1 }: ReplayOptions) {
  return { sessionSampleRate, onErrorSampleRate }
}
