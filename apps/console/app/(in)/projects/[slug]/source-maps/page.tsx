import type { ApiArtifactBundle, ApiProject, ApiProjectKey } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead, type Answer } from '../../../../../data/answer.ts'
import { askApi, queryString } from '../../../../../data/api.ts'
import { requireSession } from '../../../../../data/session.ts'
import { RefusedState } from '../../../../../ui/state.tsx'
import { Uploads } from './uploads.tsx'

interface PageProps {
  readonly params: Promise<{ slug: string }>
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>
}

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const project = await projectOf((await props.params).slug)
  if (!project.isOk && project.status === 404) notFound()
  return { title: 'Source maps' }
}

/** Lists the uploads of a project, or shows the one command that makes the first. */
export default async function SourceMapsPage(props: PageProps) {
  const given = (await props.params).slug
  const slug = encodeURIComponent(given)
  await requireSession(`/projects/${slug}/source-maps`)
  const { cursor } = await props.searchParams
  const page = queryString({ cursor: typeof cursor === 'string' ? cursor : null })
  const answers = await Promise.all([
    projectOf(given),
    askApi<readonly ApiArtifactBundle[]>(
      `/api/0/projects/main/${slug}/files/artifact-bundles/${page}`,
    ),
    askApi<readonly ApiProjectKey[]>(`/api/0/projects/main/${slug}/keys/`),
  ])
  const [project, bundles, keys] = [mainRead(answers[0]), mainRead(answers[1]), answers[2]]
  if (!project.isOk) {
    if (project.status === 404) notFound()
    return <RefusedState isPage {...project} />
  }
  if (!bundles.isOk) return <RefusedState isPage {...bundles} />
  return (
    <Uploads
      project={project.value}
      bundles={bundles.value}
      server={keys.isOk ? serverOf(keys.value) : ''}
      next={bundles.next}
      previous={bundles.previous}
    />
  )
}

/** The server's address, as clients know it: that of the keys, without the project's number. */
function serverOf(keys: readonly ApiProjectKey[]): string {
  const dsn = URL.parse(keys[0]?.dsn.public ?? '')
  return dsn === null ? '' : `${dsn.protocol}//${dsn.host}${dsn.pathname.replace(/\/\d+$/, '')}`
}

function projectOf(slug: string): Promise<Answer<ApiProject>> {
  return askApi<ApiProject>(`/api/0/projects/main/${encodeURIComponent(slug)}/`)
}
