import Head from 'next/head'
import { errorTitle, GenericError } from '../ui/generic-error.tsx'

/** A page that a transition in the browser did not find; whole documents are drawn by `app/not-found`. */
export default function NotFoundPage() {
  return (
    <>
      <Head>
        <title>{`404: ${errorTitle(404)}`}</title>
      </Head>
      <GenericError status={404} />
    </>
  )
}
