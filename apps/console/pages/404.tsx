import { errorPageTitle } from '@afterimage/protocol/error-page'
import Head from 'next/head'
import { GenericError } from '../features/generic-error/generic-error.tsx'

/** A page that a transition in the browser did not find; whole documents are drawn by `app/not-found`. */
export default function NotFoundPage() {
  return (
    <>
      <Head>
        <title>{errorPageTitle({ status: 404 })}</title>
      </Head>
      <GenericError status={404} />
    </>
  )
}
