import { errorPageTitle } from '@afterimage/protocol/error-page'
import type { Metadata } from 'next'
import { GenericError } from '../features/generic-error/generic-error.tsx'

export const metadata: Metadata = { title: { absolute: errorPageTitle({ status: 404 }) } }

/** Draws every 404 document of both router modes. */
export default function NotFound() {
  return <GenericError status={404} />
}
