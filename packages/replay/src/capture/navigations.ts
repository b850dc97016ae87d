import { cleanAddress } from '@afterimage/browser/clean-address'
import { watchHistory } from '@afterimage/browser/watch/history'
import type { Recorder } from '../recorder.ts'

/** Changes of the address as spans that take no time. */
export function watchNavigations(
  recorder: Recorder,
  keepQuery: readonly string[] | undefined,
): () => void {
  return watchHistory(({ from, to }) => {
    const now = Date.now() / 1000
    recorder.addCustom('performanceSpan', {
      op: 'navigation.push',
      description: cleanAddress(to, keepQuery),
      startTimestamp: now,
      endTimestamp: now,
      data: { previous: cleanAddress(from, keepQuery) },
    })
  })
}
