'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useEffect, useMemo, useState } from 'react'
import { Kbd } from '../../ui/kbd.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { Pulse } from '../../ui/pulse.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { freshness, type Freshness } from './fresh.ts'
import styles from './stream.module.css'

/** Polling interval while the page is visible. */
const POLL_MS = 15_000

/** "12 new events in 3 issues, show": the list never moves by itself. */
export function FreshLine(props: {
  readonly issues: readonly ApiIssue[]
  readonly drawnAt: number
  readonly poll: () => Promise<readonly ApiIssue[] | null>
}) {
  const { issues, drawnAt, poll } = props
  const { refresh } = useNavigation()
  const [fresh, setFresh] = useState<{ of: readonly ApiIssue[]; what: Freshness } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const timer = setInterval(async () => {
      if (document.visibilityState !== 'visible') return
      const latest = await poll()
      if (isCurrent && latest !== null) {
        setFresh({ of: issues, what: freshness(issues, latest, drawnAt) })
      }
    }, POLL_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [issues, drawnAt, poll])
  const what = fresh !== null && fresh.of === issues && fresh.what.events > 0 ? fresh.what : null
  useKeys(useMemo(() => (what === null ? {} : { '.': refresh }), [what, refresh]))
  if (what === null) return null
  return (
    <button type="button" className={styles['fresh']} onClick={refresh}>
      <Pulse size={6} />
      {exactNumber(what.events)} new {what.events === 1 ? 'event' : 'events'} in {what.issues}{' '}
      {what.issues === 1 ? 'issue' : 'issues'}, show <Kbd>.</Kbd>
    </button>
  )
}
