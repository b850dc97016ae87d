import { guardEach } from '@afterimage/sdk-core/guard'
import type { Selectors } from './privacy/selectors.ts'
import type { PageMirror } from './recording/rrweb.ts'
import type { PageRecorder } from './start-recorder.ts'

/** The recording of a page, for parts that add to it. */
export interface Recording {
  /** Its `record` takes events, and is called with each event of the document. */
  readonly recorder: PageRecorder['recorder']
  /** The ids of nodes in these events. */
  readonly mirror: PageMirror
  /** Follow the settings: read them again for each decision. */
  readonly selectors: Selectors
}

/** Adds to the recording of a page, which has begun. The functions that it returns undo it. */
export type RecordingPart = (recording: Recording) => readonly (() => void)[]

/** Keeps parts from the start of the client until the recorder is loaded, and until its end. */
export function createParts() {
  const parts: RecordingPart[] = []
  const undo: (() => void)[] = []
  return {
    add: (part: RecordingPart) => void parts.push(part),
    begin: (recording: Recording) => guardEach(parts, (part) => undo.push(...part(recording))),
    /** Forgets the parts too: the client's next start adds them again. */
    end() {
      parts.length = 0
      guardEach(undo.splice(0), (step) => step())
    },
  }
}
