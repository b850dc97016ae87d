'use client'

import { captureGlobalError, ClientException } from '@afterimage/next/client'
import { useEffect } from 'react'

/** The outermost boundary of the app mode: says what happened, and reports it. */
export default function GlobalError({ error }: { readonly error: Error & { digest?: string } }) {
  useEffect(() => void captureGlobalError(error), [error])
  return (
    <html lang="en">
      <body>
        <ClientException />
      </body>
    </html>
  )
}
