import { expect, test, vi } from 'vitest'
import type { Client } from '@afterimage/sdk-core/client'
import type { RecordingPart } from '../recording-parts.ts'
import type { Settings } from './recorded-canvases.ts'
import { replayCanvas } from './replay-canvas.ts'
import type { CanvasOptions } from './replay-canvas.ts'

const started = vi.hoisted(() => vi.fn<(recording: object, settings: Settings) => void>())
vi.mock('./recorded-canvases.ts', () => ({ RecordedCanvases: started }))

function settingsOf(options?: CanvasOptions): Settings | undefined {
  const replay = {
    name: 'replay',
    addPart: (part: RecordingPart) => part({ selectors: { unblock: 'canvas' } } as never),
  }
  replayCanvas(options).setup?.({ integrations: [replay] } as unknown as Client)
  return started.mock.lastCall?.[1]
}

test.each<[CanvasOptions | undefined, Settings]>([
  [undefined, { framesPerSecond: 2, quality: 0.4, sideMax: 1280 }],
  [
    { framesPerSecond: 0, quality: 0, sideMax: 100 },
    { framesPerSecond: 0, quality: 0, sideMax: 100 },
  ],
  [
    { framesPerSecond: 60, quality: 2, sideMax: 9000 },
    { framesPerSecond: 4, quality: 1, sideMax: 1280 },
  ],
  [
    { framesPerSecond: NaN, quality: -1 },
    { framesPerSecond: 2, quality: 0.4, sideMax: 1280 },
  ],
])('the options %j become %j', (options, settings) => {
  expect(settingsOf(options)).toEqual(settings)
})

test('without a recorder it does nothing', () => {
  started.mockClear()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const canvases = replayCanvas()
  canvases.setup?.({ integrations: [canvases] } as unknown as Client)
  canvases.snapshot({} as HTMLCanvasElement)
  expect(started).not.toHaveBeenCalled()
})
