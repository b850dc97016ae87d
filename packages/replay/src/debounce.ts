export interface Debounce {
  /**
   * Schedules a run `delayMs` after the last call, and no later than `delayMaxMs` after the first.
   */
  schedule(): void
  cancel(): void
}

export function createDebounce(run: () => void, delayMs: number, delayMaxMs: number): Debounce {
  let timer: ReturnType<typeof setTimeout> | undefined
  let firstAt = 0
  let lastAt = 0

  /**
   * Creates a debounce with one timer for many calls, which is renewed when it fires. It uses the
   * monotonic clock, which is never set back.
   */
  function wait(): void {
    const leftMs = Math.min(lastAt + delayMs, firstAt + delayMaxMs) - performance.now()
    timer = leftMs > 0 ? setTimeout(wait, leftMs) : undefined
    if (!timer) run()
  }

  return {
    schedule() {
      lastAt = performance.now()
      if (timer) return
      firstAt = lastAt
      wait()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
