'use client'

import { captureGlobalError } from '@afterimage/next/client'
import { useEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'

/** A page of the product that failed while its head stands: said in place, with a way to try again. */
export default function InsideError(props: {
  readonly error: Error & { digest?: string }
  readonly reset: () => void
}) {
  const { error } = props
  useEffect(() => {
    console.error(error)
    captureGlobalError(error)
  }, [error])
  return (
    <State
      isPage
      kind="failed"
      title="This page could not be drawn"
      action={<Button onClick={props.reset}>Try again</Button>}
    >
      {error.digest === undefined
        ? error.message
        : `The server’s log names the cause under ${error.digest}.`}
    </State>
  )
}
