import type { ApiSharedReplay } from '@afterimage/protocol/api'
import type { GetServerSideProps } from 'next'
import Head from 'next/head'
import { useRouter } from 'next/router'
import { useMemo } from 'react'
import { failureOf } from '../../../data/answer.ts'
import { recordingAt } from '../../../data/recording.ts'
import { findSharedReplay, forbidKeeping } from '../../../data/shared.ts'
import { parseOffset } from '../../../features/replay/timeline/clock.ts'
import { EmbeddedReplay } from '../../../features/share/embedded-replay.tsx'
import { sharedErrors } from '../../../features/share/shared-errors.ts'

interface Props {
  readonly shared: ApiSharedReplay
  readonly token: string
  readonly startAt: number | null
}

/** The player alone, for a frame on another page: a ticket, a wiki, a chat. */
export default function EmbeddedReplayPage(props: Props) {
  return <Shown key={props.token} {...props} />
}

function Shown(props: Props) {
  const { basePath } = useRouter()
  const path = `${basePath}/api/0/shared/replays/${props.token}/recording-segments/`
  const source = useMemo(() => recordingAt(path), [path])
  const errors = useMemo(() => sharedErrors(props.shared.errors), [props.shared.errors])
  return (
    <>
      <Head>
        <title>Replay</title>
        <link rel="icon" href={`${basePath}/icon.svg`} />
      </Head>
      <EmbeddedReplay errors={errors} source={source} startAt={props.startAt} />
    </>
  )
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ params, query, res }) => {
  forbidKeeping(res)
  const token = String(params?.['token'] ?? '')
  const answer = await findSharedReplay(token)
  if (answer.isOk) {
    const { t } = query
    const startAt = parseOffset(typeof t === 'string' ? t : null)
    return { props: { shared: answer.value, token, startAt } }
  }
  if (answer.status === 404) return { notFound: true }
  throw failureOf(answer)
}
