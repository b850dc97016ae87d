import type { ReactNode } from 'react'
import { readPreferences } from '../../data/preferences.ts'
import { readSession, serverStatus } from '../../data/session.ts'
import { StatusLine } from '../../features/shell/status-line.tsx'
import styles from './layout.module.css'
import { Shell } from './shell.tsx'

/** Draws the frame of the signed-in product: its head, its keys, the operator's line at its foot. */
export default async function InsideLayout({ children }: { children: ReactNode }) {
  const [session, status, preferences] = await Promise.all([
    readSession(),
    serverStatus(),
    readPreferences(),
  ])
  // The page itself redirects to the sign-in page: only it knows the address to return to.
  if (session === null) return children
  return (
    <Shell
      user={session.user}
      organization={session.organization?.name ?? 'Afterimage'}
      projects={session.projects.map((project) => ({
        id: project.id,
        slug: project.slug,
        name: project.name,
        platform: project.platform,
        hasEvents: project.firstEvent !== null,
      }))}
      theme={preferences.theme}
    >
      <main className={styles['main']}>{children}</main>
      <StatusLine status={status} />
    </Shell>
  )
}
