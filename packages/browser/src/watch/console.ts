import { createWatch, patch } from './watch.ts'

const levels = ['debug', 'info', 'warn', 'error', 'log', 'assert'] as const

export interface ConsoleCall {
  readonly level: (typeof levels)[number]
  readonly values: readonly unknown[]
}

/** What the page writes to the console; `assert` only when it fails. */
export const watchConsole = createWatch<ConsoleCall>((tell) => {
  let isTelling = false
  const undo = levels.map((level) =>
    patch(console, level, (original) => (...values) => {
      // What a listener itself writes is not told again.
      if (!isTelling && (level !== 'assert' || !values[0])) {
        isTelling = true
        tell({ level, values })()
        isTelling = false
      }
      original.apply(console, values)
    }),
  )
  return () => undo.forEach((step) => step())
})
