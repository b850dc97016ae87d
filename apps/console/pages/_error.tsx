import { captureErrorPage } from '@afterimage/next/client'
import { clientExceptionMessage, errorPageTitle } from '@afterimage/protocol/error-page'
import type { NextPageContext } from 'next'
import Head from 'next/head'
import { GenericError } from '../features/generic-error/generic-error.tsx'

interface Props {
  /** Null when the page failed in the browser: no answer had a status. */
  readonly status: number | null
  readonly hostname: string
}

/** Draws the error page of the pages mode: by status, or for a client-side exception. */
export default function ErrorPage({ status, hostname }: Props) {
  const page =
    status === null ? { status: 500, message: clientExceptionMessage(hostname) } : { status }
  return (
    <>
      <Head>
        <title>{errorPageTitle(page)}</title>
      </Head>
      <GenericError {...page} />
    </>
  )
}

ErrorPage.getInitialProps = (context: NextPageContext): Props => {
  captureErrorPage(context)
  const { res, err, req } = context
  const hostname =
    typeof window === 'undefined'
      ? (req?.headers.host ?? 'this site').replace(/:\d+$/, '')
      : window.location.hostname
  if (res !== undefined) return { status: res.statusCode, hostname }
  if (err === undefined || err === null) return { status: 404, hostname }
  return { status: err.statusCode ?? null, hostname }
}
