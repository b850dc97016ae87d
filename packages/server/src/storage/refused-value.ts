import { AppError } from '../errors.ts'

/**
 * A store refused a value: it breaks a constraint, is too large, or has the wrong type. The code that
 * made the value is wrong, so trying again would not help.
 */
export class RefusedValue extends AppError {
  override name = 'RefusedValue'

  constructor(message: string, options?: { cause?: unknown }) {
    super('STORAGE_FAILED', message, options)
  }
}
