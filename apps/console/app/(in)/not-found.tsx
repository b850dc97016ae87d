import { errorPageTitle } from '@afterimage/protocol/error-page'
import type { Metadata } from 'next'
import { GenericError } from '../../features/generic-error/generic-error.tsx'
import { WayOn } from './way-on.tsx'

export const metadata: Metadata = { title: { absolute: errorPageTitle({ status: 404 }) } }

/** Draws the 404 of a missing issue, replay or trace, under the product's head. */
export default function NotFoundInside() {
  return (
    <GenericError status={404} isInside>
      <WayOn />
    </GenericError>
  )
}
