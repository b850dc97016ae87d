/**
 * A part of the parameter `query` that cannot be understood. The 400 of a search lists all of them
 * under `problems`; the search works without these parts.
 */
export interface ApiSearchProblem {
  /** `[from, to)` in the text, in UTF-16 code units from 0. */
  readonly from: number
  readonly to: number
  /** The reason, in words for people. */
  readonly detail: string
}
