/** One way in which the surroundings can fail. */
export interface ErrorCodeText {
  /** The HTTP status it becomes at the edge. */
  readonly status: number
  /** What has happened, in a sentence. */
  readonly meaning: string
  /** What a person can do about it. */
  readonly advice: string
}

/**
 * Every way the surroundings can fail the server: logs and answers name the code, the console has a
 * public page for each. `docs/errors.md` lists the same codes; a test compares the two.
 */
export const errorCodes = {
  CONFIG_INVALID: {
    status: 500,
    meaning: 'A setting has a value that the server cannot work with.',
    advice: 'Correct the named settings and start again.',
  },
  INPUT_INVALID: {
    status: 400,
    meaning: 'A command was given a value that it cannot take.',
    advice: 'Correct the named value and try again.',
  },
  DATA_DIR_LOCKED: {
    status: 500,
    meaning: 'Two servers cannot write into one data directory.',
    advice: 'Another server runs on this data directory. Stop it, or choose another directory.',
  },
  QUEUE_FULL: {
    status: 503,
    meaning: 'What arrives cannot be put safely on disk now, so it was not accepted.',
    advice: 'Processing is behind or the disk is full. Try again later.',
  },
  STORAGE_FAILED: {
    status: 503,
    meaning: 'A store could not be read or written.',
    advice: 'Check the disk and the permissions of the data directory.',
  },
  MIGRATION_FAILED: {
    status: 500,
    meaning: 'The data could not be brought to the form that this version needs.',
    advice: 'Restore a backup, or run the version that made the data.',
  },
  SHUTTING_DOWN: {
    status: 503,
    meaning: 'The server is stopping and takes nothing new.',
    advice: 'Try again in a moment.',
  },
  UPSTREAM_FAILED: {
    status: 502,
    meaning: 'An envelope was to be forwarded to another region, which did not take it.',
    advice: 'The forwarded region did not answer. Check its address.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeText>>

export type ErrorCode = keyof typeof errorCodes

/** The text of a code; null when there is no such code. */
export function errorCodeText(code: string): ErrorCodeText | null {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : null
}
