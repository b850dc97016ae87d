import type { Metadata } from 'next'
import { errorTitle, GenericError } from '../ui/generic-error.tsx'

export const metadata: Metadata = { title: { absolute: `404: ${errorTitle(404)}` } }

/** Every 404 document of both router modes is drawn here. */
export default function NotFound() {
  return <GenericError status={404} />
}
