import type { ApiProject, ApiProjectKey } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { askApi } from '../../../../../data/api.ts'
import { requireSession } from '../../../../../data/session.ts'
import { ButtonLink } from '../../../../../ui/button.tsx'
import { RefusedState, State } from '../../../../../ui/state.tsx'
import { Onboarding } from './onboarding.tsx'

export const metadata: Metadata = { title: 'Set up' }

/** How a client reports to this project, and whether one has. */
export default async function StartPage(props: { params: Promise<{ slug: string }> }) {
  const slug = encodeURIComponent((await props.params).slug)
  await requireSession(`/projects/${slug}/start`)
  const [project, keys] = await Promise.all([
    askApi<ApiProject>(`/api/0/projects/main/${slug}/`),
    askApi<readonly ApiProjectKey[]>(`/api/0/projects/main/${slug}/keys/`),
  ])
  if (!project.isOk) {
    if (project.status === 404) notFound()
    return <RefusedState isPage {...project} />
  }
  const key = keys.isOk ? keys.value.find((one) => one.isActive) : undefined
  if (key === undefined) {
    return (
      <State
        isPage
        kind="paused"
        title="This project has no active key"
        action={<ButtonLink href="/settings">Keys</ButtonLink>}
      >
        Without one, nothing it is sent is accepted.
      </State>
    )
  }
  return <Onboarding project={project.value} dsn={key.dsn.public} tunnel={key.dsn.tunnel} />
}
