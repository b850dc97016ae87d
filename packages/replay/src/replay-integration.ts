import { loadReplay } from './loader.ts'
import type { RecorderModule, ReplayIntegration } from './loader.ts'
import type { ReplayOptions } from './options.ts'

export type { ReplayIntegration } from './loader.ts'
export type { CustomEvent, NetworkOptions, ReplayOptions } from './options.ts'
export type { Mode, RecorderState, StopReason } from './state.ts'

export interface ReplayLoaderOptions extends ReplayOptions {
  /** Loads the recorder; by default the chunk that the bundler made of it. */
  readonly load?: () => Promise<RecorderModule>
}

/**
 * Records the page. The recorder is a chunk on the page's own host, loaded when the page is idle.
 */
export function replayIntegration({
  load = () => import('./start-recorder.ts'),
  ...options
}: ReplayLoaderOptions = {}): ReplayIntegration {
  return loadReplay(load, options)
}
