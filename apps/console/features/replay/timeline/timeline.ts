import { deriveDensity, deriveIdleGaps } from './activity.ts'
import type { IdleGap } from './activity.ts'
import { deriveChapters } from './chapters.ts'
import type { Chapter } from './chapters.ts'
import { deriveConsole } from './console-rows.ts'
import type { ConsoleRow } from './console-rows.ts'
import { deriveMarkers } from './markers.ts'
import type { Marker } from './markers.ts'
import { deriveMasking } from './masking.ts'
import type { Masking } from './masking.ts'
import { deriveMemory } from './memory.ts'
import type { MemoryPoint } from './memory.ts'
import { deriveNetwork } from './network.ts'
import type { NetworkRow } from './network.ts'
import type { Recording } from './recording.ts'
import { deriveSteps } from './steps.ts'
import type { ReplayError, Step } from './steps.ts'
import { deriveVitals } from './vitals.ts'
import type { VitalRow } from './vitals.ts'

/** The contents of a recording, on one clock: all times are ms since its start. */
export interface Timeline {
  readonly recording: Recording
  readonly durationMs: number
  readonly chapters: readonly Chapter[]
  readonly steps: readonly Step[]
  readonly markers: readonly Marker[]
  readonly console: readonly ConsoleRow[]
  readonly network: readonly NetworkRow[]
  readonly vitals: readonly VitalRow[]
  readonly memory: readonly MemoryPoint[]
  readonly density: readonly number[]
  readonly idle: readonly IdleGap[]
  readonly errors: readonly ReplayError[]
  /** Null when the recorder did not say. */
  readonly masking: Masking | null
}

export function deriveTimeline(
  recording: Recording,
  errors: readonly ReplayError[] = [],
): Timeline {
  const chapters = deriveChapters(recording)
  const network = deriveNetwork(recording)
  const console = deriveConsole(recording)
  const vitals = deriveVitals(recording)
  const steps = deriveSteps({ recording, chapters, network, console, vitals, errors })
  const markers = deriveMarkers(steps)
  return {
    recording,
    durationMs: recording.durationMs,
    chapters,
    steps,
    markers,
    console,
    network,
    vitals,
    memory: deriveMemory(recording),
    density: deriveDensity(recording),
    idle: deriveIdleGaps(recording, markers).filter((gap) => !isPending(recording, gap)),
    errors,
    masking: deriveMasking(recording),
  }
}

/** Tells whether a gap has pending parts, which are not known to be idle. */
function isPending({ pending, startedAt }: Recording, gap: IdleGap): boolean {
  return pending.some((part) => part.at - startedAt < gap.until && part.until - startedAt > gap.at)
}

/** The last row at or before `at`, by bisection; -1 before the first. Rows are in order of time. */
export function indexAt(rows: readonly { readonly at: number }[], at: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
