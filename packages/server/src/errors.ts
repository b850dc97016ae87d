import { errorCodes, type ErrorCode } from '@afterimage/protocol/error-codes'

export { errorCodes, type ErrorCode } from '@afterimage/protocol/error-codes'

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
