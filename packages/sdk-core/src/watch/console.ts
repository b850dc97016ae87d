import { createWatch, patch } from './watch.ts'

const levels = ['debug', 'info', 'warn', 'error', 'log'] as const

export interface ConsoleCall {
  readonly level: (typeof levels)[number]
  readonly values: readonly unknown[]
}

/** Calls of the page to the console. */
export const watchConsole = createWatch<ConsoleCall>((tell) => {
  let isTelling = false
  return levels.map((level) =>
    patch(console, level, (original) => (...values) => {
      // Calls by a listener itself are not reported again.
      if (!isTelling) {
        isTelling = true
        tell({ level, values })()
        isTelling = false
      }
      original.apply(console, values)
    }),
  )
})
