import { captureThrown } from '@afterimage/sdk-core/api'
import type { CaptureContext } from '@afterimage/browser'

/**
 * Reports what reached `global-error`, or an `error` file. An error whose message the server kept to
 * itself was reported there (`onRequestError`): the digest ties the two together.
 */
export function captureGlobalError(error: Error & { readonly digest?: string }): string {
  return captureThrown(error, {
    mechanism: { type: 'next.global_error', handled: false },
    ...(error.digest !== undefined && { context: ofDigest(error.digest) }),
  })
}

/** Server errors all read alike in the browser; each is grouped by its own digest. */
function ofDigest(digest: string): CaptureContext {
  return { tags: { 'next.digest': digest }, fingerprint: ['next', 'server-error', digest] }
}

/** The argument of `_error.getInitialProps`, as far as it is needed. */
export interface ErrorPageContext {
  readonly err?: (Error & { readonly statusCode?: number }) | null | undefined
  readonly res?: { readonly statusCode: number } | undefined
}

/**
 * Reports what led to the error page of the pages mode; called in `_error.getInitialProps`. On the
 * server `onRequestError` has done so; pages that are not there are no errors.
 */
export function captureErrorPage({ err, res }: ErrorPageContext): string {
  if (!err || res !== undefined || (err.statusCode !== undefined && err.statusCode < 500)) return ''
  return captureThrown(err, { mechanism: { type: 'next.error_page', handled: false } })
}
