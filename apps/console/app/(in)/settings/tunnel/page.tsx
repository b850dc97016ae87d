import type { Metadata } from 'next'
import { selfMonitoring } from '../../../../data/self-monitoring.ts'
import { requireSession } from '../../../../data/session.ts'
import styles from '../../../../features/settings/settings.module.css'
import { ButtonLink } from '../../../../ui/button.tsx'
import { State } from '../../../../ui/state.tsx'
import { Tunnel } from './tunnel.tsx'

export const metadata: Metadata = { title: 'Does the tunnel work?' }

/** Sends one envelope each way, and reports whether it arrived or what blocked it. */
export default async function TunnelPage() {
  await requireSession('/settings/tunnel')
  const handed = selfMonitoring() ?? null
  if (handed === null) {
    return (
      <State
        isPage
        kind="paused"
        title="The console does not monitor itself"
        action={<ButtonLink href="/settings">Settings</ButtonLink>}
      >
        The test sends to the project that the console reports to. Start the server with
        AFTERIMAGE_SELF_MONITORING=on, and with an active key of the project afterimage.
      </State>
    )
  }
  const { dsn, tunnelPath, release, environment } = handed
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Does the tunnel work?</h1>
      <Tunnel self={{ dsn, tunnelPath, release, environment }} />
    </div>
  )
}
