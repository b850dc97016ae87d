import type { Metadata } from 'next'
import { errorTitle, GenericError } from '../../ui/generic-error.tsx'

export const metadata: Metadata = { title: { absolute: `404: ${errorTitle(404)}` } }

/** An issue, a replay, a trace that is not there: said under the product's head, from where one goes on. */
export default function NotFoundInside() {
  return <GenericError status={404} isInside />
}
