import type { ApiProjectKey } from '@afterimage/protocol/api'
import type { Metadata } from 'next'
import { mainRead, type Answer } from '../../../data/answer.ts'
import { askApi } from '../../../data/api.ts'
import { ownDiscards, requireSession, serverStatus } from '../../../data/session.ts'
import type { TokenRow } from '../../../data/tokens.ts'
import { ServerSection } from '../../../features/settings/server-section.tsx'
import { OwnClient } from './own-client.tsx'
import styles from '../../../features/settings/settings.module.css'
import { Settings } from './settings.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { user, projects } = await requireSession('/settings')
  const [status, told, tokens, ...keys] = await Promise.all([
    serverStatus(),
    ownDiscards(),
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
        tokens={listOf(tokens)}
        projects={projects.map((project, index) => {
          const found = keys[index]
          return { project, keys: found === undefined ? [] : listOf(found) }
        })}
      />
      <ServerSection status={status} />
      <OwnClient told={told} />
    </div>
  )
}

/** Returns the list, empty when it was refused (403: not for this role). @throws when the API failed */
function listOf<T>(answer: Answer<readonly T[]>): readonly T[] {
  const read = mainRead(answer)
  return read.isOk ? read.value : []
}
