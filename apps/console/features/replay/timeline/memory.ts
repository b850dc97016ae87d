import { customOf, fieldsOf, numberOf, toMs } from './recorded.ts'
import type { Recording } from './recording.ts'

/** Memory held by the page's scripts, where the browser reports it (Chromium). */
export interface MemoryPoint {
  /** ms since the start. */
  readonly at: number
  readonly usedBytes: number
  readonly limitBytes: number | null
}

export function deriveMemory(recording: Recording): readonly MemoryPoint[] {
  const points: MemoryPoint[] = []
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'performanceSpan' || custom.payload['op'] !== 'memory') continue
    const memory = fieldsOf(fieldsOf(custom.payload['data'])['memory'])
    const usedBytes = numberOf(memory['usedJSHeapSize'])
    if (usedBytes === null) continue
    const at = toMs(numberOf(custom.payload['startTimestamp']) ?? event.timestamp)
    points.push({
      at: Math.max(0, at - recording.startedAt),
      usedBytes,
      limitBytes: numberOf(memory['jsHeapSizeLimit']),
    })
  }
  return points
}
