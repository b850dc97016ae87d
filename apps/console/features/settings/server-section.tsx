'use client'

import type { ApiServerStatus } from '@afterimage/protocol/api/stats'
import { TriangleAlert } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { byteWords, exactNumber } from '../../ui/time-words.ts'
import styles from './settings.module.css'

/** The server's state in full; the line at the foot of each page is its short form. */
export function ServerSection(props: { readonly status: ApiServerStatus | null }) {
  const { status } = props
  return (
    <div className={styles['section']}>
      <Section
        id="server"
        title="This server"
        tools={
          <ButtonLink look="bare" href="/settings/tunnel">
            Does the tunnel work?
          </ButtonLink>
        }
      >
        {status === null ? (
          <State kind="failed" title="The server’s state could not be read" />
        ) : (
          <>
            {status.warnings.map((warning) => (
              <p key={warning} className={styles['warning']}>
                <TriangleAlert size={14} aria-hidden />
                {warning}
              </p>
            ))}
            <dl className={styles['facts']}>
              <dt>Events per minute</dt>
              <dd>{exactNumber(Math.round(status.eventsPerMinute * 10) / 10)}</dd>
              <dt>Waiting in the queue</dt>
              <dd>
                {exactNumber(status.queue.waiting)}
                {status.queue.oldestAgeMs === null
                  ? ''
                  : `, the oldest for ${Math.round(status.queue.oldestAgeMs / 1000)} s`}
              </dd>
              <dt>Set aside</dt>
              <dd>{exactNumber(status.queue.setAside)}</dd>
              <dt>Stored</dt>
              <dd>{byteWords(status.disk.usedBytes)}</dd>
              <dt>Free disk space</dt>
              <dd>{byteWords(status.disk.freeBytes)}</dd>
            </dl>
          </>
        )}
      </Section>
    </div>
  )
}
