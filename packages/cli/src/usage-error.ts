/** The command line was wrong: printed with the usage, exit code 1. */
export class UsageError extends Error {
  override name = 'UsageError'
}
