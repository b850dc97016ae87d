import { flushDelayMaxMs, flushDelayMs } from './limits.ts'

export interface Debounce {
  /** Asks for a run: 5 s after the last call, and no later than 5.5 s after the first (S18). */
  schedule(): void
  cancel(): void
}

export function createDebounce(run: () => void): Debounce {
  let timer: ReturnType<typeof setTimeout> | undefined
  let firstAt: number | undefined

  const debounce: Debounce = {
    schedule() {
      const now = Date.now()
      firstAt ??= now
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          debounce.cancel()
          run()
        },
        Math.min(flushDelayMs, firstAt + flushDelayMaxMs - now),
      )
    },
    cancel() {
      clearTimeout(timer)
      firstAt = undefined
    },
  }
  return debounce
}
