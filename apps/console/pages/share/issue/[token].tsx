import type { ApiSharedIssue } from '@afterimage/protocol/api'
import type { GetServerSideProps } from 'next'
import Head from 'next/head'
import { useRouter } from 'next/router'
import { failureOf } from '../../../data/answer.ts'
import { findSharedIssue, forbidKeeping } from '../../../data/shared.ts'
import { SharedIssue } from '../../../features/share/shared-issue.tsx'

interface Props {
  readonly shared: ApiSharedIssue
  readonly renderedAt: number
}

/** An issue for whoever has the link, until it is revoked. */
export default function SharedIssuePage(props: Props) {
  const { basePath } = useRouter()
  return (
    <>
      <Head>
        <title>{props.shared.issue.title}</title>
        <link rel="icon" href={`${basePath}/icon.svg`} />
      </Head>
      <SharedIssue shared={props.shared} />
    </>
  )
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ params, res }) => {
  forbidKeeping(res)
  const answer = await findSharedIssue(String(params?.['token'] ?? ''))
  if (answer.isOk) return { props: { shared: answer.value, renderedAt: Date.now() } }
  if (answer.status === 404) return { notFound: true }
  throw failureOf(answer)
}
