import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { watchHistory } from '@afterimage/sdk-core/watch/history'
import type { Recorder } from '../recorder.ts'
import { addSpan } from './span.ts'

/** Records changes of the address as spans without a duration. */
export function watchNavigations(
  recorder: Recorder,
  keepQuery: readonly string[] | undefined,
): () => void {
  return watchHistory(({ from, to }) =>
    addSpan(recorder, 'navigation.push', cleanAddress(to, keepQuery), {
      previous: cleanAddress(from, keepQuery),
    }),
  )
}
