'use client'

import { captureGlobalError } from '@afterimage/next/client'
import { clientExceptionMessage, errorPageTitle } from '@afterimage/protocol/error-page'
import { startTransition, useEffect } from 'react'
import { GenericError } from '../../features/generic-error/generic-error.tsx'
import { Button } from '../../ui/button.tsx'
import { useNavigation } from '../../ui/navigation.tsx'

/**
 * Draws a failed page of the product under its head, with a button to try again. An error from the
 * server carries a digest and is a 500; one without was raised in the browser.
 */
export default function InsideError(props: {
  readonly error: Error & { digest?: string }
  readonly reset: () => void
}) {
  const { error, reset } = props
  const { refresh } = useNavigation()
  useEffect(() => {
    console.error(error)
    captureGlobalError(error)
  }, [error])
  const page =
    error.digest === undefined
      ? { status: 500, message: clientExceptionMessage(hostname()) }
      : { status: 500, explanation: `The server’s log names the cause under ${error.digest}.` }
  // Fetches the server's data again, beyond drawing again.
  const tryAgain = () =>
    startTransition(() => {
      refresh()
      reset()
    })
  return (
    <>
      <title>{errorPageTitle(page)}</title>
      <GenericError {...page} isInside>
        <Button onClick={tryAgain}>Try again</Button>
      </GenericError>
    </>
  )
}

function hostname(): string {
  return typeof location === 'undefined' ? 'this site' : location.hostname
}
