import type { ApiProjectKey } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { askApi } from '../../../data/api.ts'
import { requireSession, serverStatus } from '../../../data/session.ts'
import type { TokenRow } from '../../../data/tokens.ts'
import { ServerSection } from '../../../features/settings/server-section.tsx'
import styles from '../../../features/settings/settings.module.css'
import { Settings } from './settings.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { user, projects } = await requireSession('/settings')
  const [status, tokens, ...keys] = await Promise.all([
    serverStatus(),
    askApi<readonly TokenRow[]>('/api/0/api-tokens/'),
    ...projects.map((project) =>
      askApi<readonly ApiProjectKey[]>(`/api/0/projects/main/${project.slug}/keys/`),
    ),
  ])
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Settings</h1>
      <Settings
        user={user}
        tokens={tokens.isOk ? tokens.value : []}
        projects={projects.map((project, index) => {
          const found = keys[index]
          return { project, keys: found?.isOk === true ? found.value : [] }
        })}
      />
      <ServerSection status={status} />
    </div>
  )
}
