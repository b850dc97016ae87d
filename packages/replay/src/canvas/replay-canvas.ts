import { warn } from '@afterimage/sdk-core/debug'
import type { Integration } from '@afterimage/sdk-core/integration'
import type { ReplayIntegration } from '../loader.ts'
import * as limits from './limits.ts'
import { RecordedCanvases } from './recorded-canvases.ts'

/** Options of the pictures. Which canvases are recorded, `unblock` of `replayIntegration` says. */
export interface CanvasOptions {
  /** Pictures of each canvas in a second, at most 4; 2 by default. 0 leaves it to `snapshot`. */
  readonly framesPerSecond?: number
  /** Quality of the pictures, 0 to 1; 0.4 by default. */
  readonly quality?: number
  /** Longest side of a picture in px, at most 1,280, which is the default. */
  readonly sideMax?: number
}

export interface ReplayCanvas extends Integration {
  /** Takes a picture of a canvas now. Call it in the task that has drawn the canvas. */
  snapshot(canvas: HTMLCanvasElement): void
}

/** Adds pictures of canvases to the recording of `replayIntegration`. */
export function replayCanvas(options: CanvasOptions = {}): ReplayCanvas {
  const { framesPerSecond, quality, sideMax } = options
  const settings = {
    framesPerSecond: within(framesPerSecond, limits.framesPerSecondMax, limits.framesPerSecond),
    quality: within(quality, 1, limits.quality),
    sideMax: within(sideMax, limits.sideMax, limits.sideMax),
  }
  let canvases: RecordedCanvases | undefined
  return {
    name: 'replayCanvas',
    setup({ integrations }) {
      const replay = integrations.find(({ name }) => name === 'replay') as
        | ReplayIntegration
        | undefined
      if (!replay) return warn('replayCanvas records nothing without replayIntegration.')
      replay.addPart((recording) => {
        if (!recording.selectors.unblock) warn('`unblock` of replayIntegration names no canvas.')
        const recorded = new RecordedCanvases(recording, settings)
        canvases = recorded
        return [() => recorded.close()]
      })
    },
    snapshot: (canvas) => canvases?.take(canvas),
  }
}

/** Returns a number from 0 up to its limit; `otherwise` for a value that is not a valid one. */
function within(given: number | undefined, max: number, otherwise: number): number {
  return given! >= 0 ? Math.min(given!, max) : otherwise
}
