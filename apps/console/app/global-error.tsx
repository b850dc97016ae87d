'use client'

import { captureGlobalError } from '@afterimage/next/client'
import { useEffect } from 'react'
import { clientExceptionMessage, errorPageTitle } from '@afterimage/protocol/error-page'
import { GenericError } from '../features/generic-error/generic-error.tsx'

/**
 * Draws the outermost boundary of the app mode. An error from the server carries a digest and is a
 * 500; one without was raised in the browser.
 */
export default function GlobalError(props: { readonly error: Error & { digest?: string } }) {
  const { error } = props
  const isFromServer = error.digest !== undefined
  useEffect(() => {
    console.error(error)
    captureGlobalError(error)
  }, [error])
  const hostname = typeof location === 'undefined' ? 'this site' : location.hostname
  const page = isFromServer
    ? { status: 500 }
    : { status: 500, message: clientExceptionMessage(hostname) }
  return (
    <html lang="en">
      <body>
        <title>{errorPageTitle(page)}</title>
        <GenericError {...page} />
      </body>
    </html>
  )
}
