import { listen } from '@afterimage/sdk-core/listen'
import type { Recorder } from '../recorder.ts'
import { mirror } from '../recording/dom.ts'
import { incremental, mutation } from '../recording/kinds.ts'

/** Records popovers that open and close, which changes none of their attributes, as one of ours. */
export function watchPopovers(recorder: Recorder): () => void {
  return listen(document, 'toggle', ({ target, newState }: ToggleEvent) => {
    const id = mirror.getId(target as Element)
    recorder.record({
      type: incremental,
      timestamp: Date.now(),
      data: {
        source: mutation,
        attributes: [{ id, attributes: { rr_popover: newState } }],
        adds: [],
        removes: [],
        texts: [],
      },
    })
  })
}
