import type { ApiProject, ApiProjectKey } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead, type Answer } from '../../../../../data/answer.ts'
import { askApi } from '../../../../../data/api.ts'
import { requireSession } from '../../../../../data/session.ts'
import { ButtonLink } from '../../../../../ui/button.tsx'
import { RefusedState, State } from '../../../../../ui/state.tsx'
import { Onboarding } from './onboarding.tsx'

interface PageProps {
  readonly params: Promise<{ slug: string }>
}

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const project = await projectOf((await props.params).slug)
  if (!project.isOk && project.status === 404) notFound()
  return { title: 'Set up' }
}

/** Explains how a client reports to this project, and shows whether one has. */
export default async function StartPage(props: PageProps) {
  const given = (await props.params).slug
  const slug = encodeURIComponent(given)
  await requireSession(`/projects/${slug}/start`)
  const answers = await Promise.all([
    projectOf(given),
    askApi<readonly ApiProjectKey[]>(`/api/0/projects/main/${slug}/keys/`),
  ])
  const [project, keys] = [mainRead(answers[0]), mainRead(answers[1])]
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
        Without one, nothing sent to it is accepted.
      </State>
    )
  }
  return <Onboarding project={project.value} dsn={key.dsn.public} tunnel={key.dsn.tunnel} />
}

function projectOf(slug: string): Promise<Answer<ApiProject>> {
  return askApi<ApiProject>(`/api/0/projects/main/${encodeURIComponent(slug)}/`)
}
