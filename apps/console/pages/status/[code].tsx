import { errorPageTitle } from '@afterimage/protocol/error-page'
import type { GetServerSideProps } from 'next'
import Head from 'next/head'
import { GenericError } from '../../features/generic-error/generic-error.tsx'

interface Props {
  readonly status: number
}

/**
 * The generic error page for statuses that no router gives: the web server draws it for a request that
 * it refuses (400, 405). It has no address of its own: a visitor who asks for it gets 404.
 */
export default function StatusPage({ status }: Props) {
  return (
    <>
      <Head>
        <title>{errorPageTitle({ status })}</title>
      </Head>
      <GenericError status={status} />
    </>
  )
}

export const getServerSideProps: GetServerSideProps<Props> = ({ params, res }) => {
  const status = Number(params?.['code'])
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    return Promise.resolve({ notFound: true })
  }
  // The answer's status is the page's, whoever asked: this page is never a 200.
  res.statusCode = status
  res.setHeader('cache-control', 'no-store')
  return Promise.resolve({ props: { status } })
}
