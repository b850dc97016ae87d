import { listen } from '@afterimage/sdk-core/listen'
import type { Recorder } from '../recorder.ts'

/**
 * Records the person's preferred colours and motion, which decide how the page looks: with
 * `addMedia`, and on each change.
 */
export function watchMedia(recorder: Recorder): {
  readonly undo: readonly (() => void)[]
  readonly addMedia: () => void
} {
  const dark = matchMedia('(prefers-color-scheme:dark)')
  const still = matchMedia('(prefers-reduced-motion)')
  function addMedia(): void {
    const colorScheme = dark.matches ? 'dark' : 'light'
    recorder.addCustom('media', { colorScheme, reducedMotion: still.matches })
  }
  return { undo: [listen(dark, 'change', addMedia), listen(still, 'change', addMedia)], addMedia }
}
