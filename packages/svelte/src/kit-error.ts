/** The argument of the hook `handleError`, in SvelteKit 2 and 3, as far as both halves use it. */
export interface KitError {
  readonly error: unknown
  /** SvelteKit 3: all but `unknown` are expected, such as those of `error(404)`. */
  readonly kind?: string
  /** SvelteKit 2, which passes no expected errors but those of addresses without a route. */
  readonly status?: number
  /** SvelteKit 3: the faults in the arguments of a remote function. */
  readonly issues?: unknown
}

/** Tells whether an error is one of the application's own making, and not an answer. */
export function isUnexpected({ kind, status }: KitError): boolean {
  return kind === undefined ? status !== 404 : kind === 'unknown'
}

/** Logs an error as SvelteKit does without a hook. */
export function logKitError(input: KitError): void {
  if (isUnexpected(input)) console.error(input.error)
  else if (input.kind === 'validation') console.error(input.error, input.issues)
}
