import type { ApiSharedReplay } from '@afterimage/protocol/api'
import type { GetServerSideProps } from 'next'
import Head from 'next/head'
import { useRouter } from 'next/router'
import { useMemo } from 'react'
import { failureOf } from '../../../data/answer.ts'
import { recordingAt } from '../../../data/recording.ts'
import { findSharedReplay, forbidKeeping } from '../../../data/shared.ts'
import { parseOffset } from '../../../features/replay/timeline/clock.ts'
import { SharedReplay } from '../../../features/share/shared-replay.tsx'
import { sharedErrors } from '../../../features/share/shared-errors.ts'

interface Props {
  readonly shared: ApiSharedReplay
  readonly token: string
  readonly startAt: number | null
  readonly renderedAt: number
}

/** A replay for whoever has the link, until it is revoked. */
export default function SharedReplayPage(props: Props) {
  return <Shown key={props.token} {...props} />
}

function Shown(props: Props) {
  const { shared, token } = props
  const { basePath } = useRouter()
  const path = `${basePath}/api/0/shared/replays/${token}/recording-segments/`
  const source = useMemo(() => recordingAt(path), [path])
  const errors = useMemo(() => sharedErrors(shared.errors), [shared.errors])
  return (
    <>
      <Head>
        <title>Shared replay</title>
        <link rel="icon" href={`${basePath}/icon.svg`} />
      </Head>
      <SharedReplay shared={shared} errors={errors} source={source} startAt={props.startAt} />
    </>
  )
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ params, query, res }) => {
  forbidKeeping(res)
  const token = String(params?.['token'] ?? '')
  const answer = await findSharedReplay(token)
  if (answer.isOk) {
    const { t } = query
    return {
      props: {
        shared: answer.value,
        token,
        startAt: parseOffset(typeof t === 'string' ? t : null),
        renderedAt: Date.now(),
      },
    }
  }
  if (answer.status === 404) return { notFound: true }
  throw failureOf(answer)
}
