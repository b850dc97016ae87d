import { captureErrorPage } from '@afterimage/next/client'
import type { NextPageContext } from 'next'
import Head from 'next/head'
import { clientExceptionMessage, errorTitle, GenericError } from '../ui/generic-error.tsx'

interface Props {
  /** Null when the page failed in the browser: no answer had a status. */
  readonly status: number | null
  readonly hostname: string
}

/** What the pages mode shows when a page could not be: by status, or the client-side exception. */
export default function ErrorPage({ status, hostname }: Props) {
  if (status === null) {
    return (
      <>
        <Head>
          <title>Application error: a client-side exception has occurred</title>
        </Head>
        <GenericError status={500} message={clientExceptionMessage(hostname)} />
      </>
    )
  }
  return (
    <>
      <Head>
        <title>{`${status}: ${errorTitle(status)}`}</title>
      </Head>
      <GenericError status={status} />
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
