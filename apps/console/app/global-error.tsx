'use client'

import { captureGlobalError } from '@afterimage/next/client'
import { useEffect } from 'react'
import { clientExceptionMessage, GenericError } from '../ui/generic-error.tsx'

/**
 * The outermost boundary of the app mode. An error that came from the server carries a digest: then it
 * is a 500; without one it was raised in the browser.
 */
export default function GlobalError(props: { readonly error: Error & { digest?: string } }) {
  const { error } = props
  const isFromServer = error.digest !== undefined
  useEffect(() => {
    console.error(error)
    captureGlobalError(error)
  }, [error])
  const hostname = typeof location === 'undefined' ? 'this site' : location.hostname
  return (
    <html lang="en">
      <body>
        <title>{isFromServer ? '500: Internal Server Error' : 'Application error'}</title>
        {isFromServer ? (
          <GenericError status={500} />
        ) : (
          <GenericError status={500} message={clientExceptionMessage(hostname)} />
        )}
      </body>
    </html>
  )
}
