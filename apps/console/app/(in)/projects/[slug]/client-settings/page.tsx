import type { ApiProject } from '@afterimage/protocol/api'
import type { ClientSettings } from '@afterimage/protocol/client-settings'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { mainRead } from '../../../../../data/answer.ts'
import { askApi } from '../../../../../data/api.ts'
import { requireSession } from '../../../../../data/session.ts'
import styles from '../../../../../features/settings/settings.module.css'
import { RefusedState } from '../../../../../ui/state.tsx'
import { ClientSettingsPanel } from './client-settings-panel.tsx'

export const metadata: Metadata = { title: 'Client settings' }

/** Shows the settings that clients of a project ask for. */
export default async function ClientSettingsPage(props: {
  readonly params: Promise<{ slug: string }>
}) {
  const slug = encodeURIComponent((await props.params).slug)
  await requireSession(`/projects/${slug}/client-settings`)
  const answers = await Promise.all([
    askApi<ApiProject>(`/api/0/projects/main/${slug}/`),
    askApi<ClientSettings>(`/api/0/projects/main/${slug}/client-settings/`),
  ])
  const [project, settings] = [mainRead(answers[0]), mainRead(answers[1])]
  if (!project.isOk) {
    if (project.status === 404) notFound()
    return <RefusedState isPage {...project} />
  }
  if (!settings.isOk) return <RefusedState isPage {...settings} />
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Client settings of {project.value.name}</h1>
      <ClientSettingsPanel slug={project.value.slug} settings={settings.value} />
    </div>
  )
}
