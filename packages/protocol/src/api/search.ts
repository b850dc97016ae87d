/**
 * A part of the parameter `query` that means nothing. A 400 of a search lists all of them under
 * `problems`: without these parts the rest can be asked for.
 */
export interface ApiSearchProblem {
  /** `[from, to)` in the text, UTF-16 code units from 0. */
  readonly from: number
  readonly to: number
  /** Why, in words for people. */
  readonly detail: string
}
