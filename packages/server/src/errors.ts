/**
 * Every way the surroundings can fail us, with the HTTP status it becomes at the edge and what a
 * person can do about it. `docs/errors.md` lists the same codes; a test compares the two.
 */
export const errorCodes = {
  CONFIG_INVALID: { status: 500, advice: 'Correct the named settings and start again.' },
  INPUT_INVALID: { status: 400, advice: 'Correct the named value and try again.' },
  DATA_DIR_LOCKED: {
    status: 500,
    advice: 'Another server runs on this data directory. Stop it, or choose another directory.',
  },
  QUEUE_FULL: { status: 503, advice: 'Processing is behind or the disk is full. Try again later.' },
  STORAGE_FAILED: {
    status: 503,
    advice: 'Check the disk and the permissions of the data directory.',
  },
  MIGRATION_FAILED: {
    status: 500,
    advice: 'Restore a backup, or run the version that made the data.',
  },
  SHUTTING_DOWN: { status: 503, advice: 'Try again in a moment.' },
  UPSTREAM_FAILED: {
    status: 502,
    advice: 'The forwarded region did not answer. Check its address.',
  },
} as const

export type ErrorCode = keyof typeof errorCodes

/** Failing surroundings. Caught in two places only: the HTTP edge and the worker loop. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}
