import type { Recorder } from '../recorder.ts'

/** Records a span; times are ms since the epoch. */
export function addSpan(
  recorder: Recorder,
  op: string,
  description: string,
  data: object,
  startMs = Date.now(),
  endMs = startMs,
): void {
  recorder.addCustom(
    'performanceSpan',
    { op, description, startTimestamp: startMs / 1000, endTimestamp: endMs / 1000, data },
    startMs,
  )
}
