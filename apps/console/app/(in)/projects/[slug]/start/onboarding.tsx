'use client'

import type { ApiProject } from '@afterimage/protocol/api'
import { useEffect, useState } from 'react'
import {
  arrivalOf,
  sampleEnvelope,
  sendSampleEvent,
  type Arrival,
} from '../../../../../data/projects.ts'
import styles from '../../../../../features/onboarding/onboarding.module.css'
import { SetupSteps } from '../../../../../features/onboarding/setup-steps.tsx'
import { WaitColumn } from '../../../../../features/onboarding/wait-column.tsx'
import { useNavigation } from '../../../../../ui/navigation.tsx'

/** Interval between two checks for arrivals. */
const POLL_MS = 2000

/** Draws set-up at the left, waiting at the right; it updates itself when the first event arrives. */
export function Onboarding(props: {
  readonly project: ApiProject
  readonly dsn: string
  readonly tunnel: string
}) {
  const { project, dsn, tunnel } = props
  const arrival = useArrival(project)
  const origin = originOf(dsn)
  const firstEventAt = arrival?.firstEventAt ?? project.firstEvent
  return (
    <div className={styles['two']}>
      <section className={styles['setup']}>
        <p className={styles['kicker']}>
          {project.name}, {firstEventAt === null ? 'no events yet' : 'receiving'}
        </p>
        <h1 className={styles['poster']}>Point one address at this server.</h1>
        <p className={styles['standfirst']}>
          Our own client is a quarter of the size of Sentry’s, half with replays, and keeps the
          seconds before an error. Any Sentry SDK from version 7 works by changing its DSN.
        </p>
        <SetupSteps address={{ dsn, tunnel, origin }} platform={project.platform} />
      </section>
      <WaitColumn
        reached={{
          isAnswering: arrival?.isAnswering ?? null,
          origin,
          outcomes: arrival?.outcomes ?? [],
          firstEventAt,
        }}
        issueHref={
          arrival?.issueId === null || arrival === null ? null : `/issues/${arrival.issueId}`
        }
        listHref={`/issues?project=${project.slug}`}
        onSample={() => sendSampleEvent(dsn, tunnel)}
        curl={curlOf(dsn, origin, tunnel)}
      />
    </div>
  )
}

function useArrival(project: ApiProject): Arrival | null {
  const { refresh } = useNavigation()
  const [arrival, setArrival] = useState<Arrival | null>(null)
  const { id, slug } = project
  const isDone = arrival !== null && arrival.firstEventAt !== null && arrival.issueId !== null
  useEffect(() => {
    if (isDone) return refresh()
    let isCurrent = true
    const look = async () => {
      const next = await arrivalOf({ id, slug })
      if (isCurrent) setArrival(next)
    }
    void look()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look()
    }, POLL_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [id, slug, isDone, refresh])
  return arrival
}

function originOf(dsn: string): string {
  try {
    return new URL(dsn).origin
  } catch {
    return ''
  }
}

/* Single quotes suffice for a shell: the sample contains none. */
function curlOf(dsn: string, origin: string, tunnel: string): string {
  const body = sampleEnvelope(dsn, `${origin}/sample`, Date.now()).replaceAll("'", String.raw`'\''`)
  return `curl -X POST '${origin}${tunnel}' -H 'content-type: text/plain' --data-binary '${body}'`
}
