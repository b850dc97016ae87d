'use client'

import { CircleCheck, CircleDashed, Send, SquareTerminal, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ClockTime } from '../../ui/clock.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Pulse } from '../../ui/pulse.tsx'
import { durationWords } from '../../ui/time-words.ts'
import { checksOf, type Reached } from './diagnostics.ts'
import styles from './onboarding.module.css'

/** Time without an event after which the page shows hints. */
const QUIET_MS = 60_000

interface WaitColumnProps {
  readonly reached: Reached
  /** Address of the first issue; null while it is unknown. */
  readonly issueHref: string | null
  readonly listHref: string
  /** Returns the failure's message, or null. */
  readonly onSample: () => Promise<string | null>
  readonly curl: string
}

/** Draws the waiting side: live, with the arrivals so far, and hints when nothing arrives. */
export function WaitColumn(props: WaitColumnProps) {
  const { firstEventAt } = props.reached
  return (
    <aside className={styles['wait']} aria-live="polite">
      {firstEventAt === null ? <Waiting {...props} /> : <Arrived {...props} at={firstEventAt} />}
      <p className={styles['foot']}>
        Nothing leaves this machine. Text and inputs are masked in the browser before a recording is
        sent.
      </p>
    </aside>
  )
}

function Waiting(props: WaitColumnProps) {
  const waitedMs = useWaited()
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  const send = async () => {
    setIsSent(true)
    const wrong = await props.onSample()
    setProblem(wrong)
    if (wrong !== null) setIsSent(false)
  }
  return (
    <>
      <div className={styles['live']} aria-live="off">
        <Pulse />
        Listening for{' '}
        {waitedMs < 1000
          ? 'a moment'
          : durationWords(Math.floor(waitedMs / 1000) * 1000).replace('.0 s', ' s')}
      </div>
      <h2 className={styles['title']}>Waiting for the first event…</h2>
      <p className={styles['text']}>This page updates itself when it arrives.</p>
      <div className={styles['buttons']}>
        <Button look="ink" disabled={isSent} onClick={() => void send()}>
          <Send size={14} aria-hidden />
          {isSent ? 'Sent' : 'Send a sample event'}
        </Button>
        <CopyButton icon={<SquareTerminal size={14} aria-hidden />} text={props.curl}>
          Copy as curl
        </CopyButton>
      </div>
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <Checks reached={props.reached} />
      {waitedMs < QUIET_MS ? null : <Hints />}
    </>
  )
}

function Arrived(props: WaitColumnProps & { readonly at: string }) {
  return (
    <>
      <div className={styles['live']}>
        <CircleCheck size={14} aria-hidden />
        <ClockTime at={props.at} />
      </div>
      <h2 className={styles['title']}>The first event has arrived.</h2>
      <p className={styles['text']}>This project’s issues now appear in the stream.</p>
      <div className={styles['buttons']}>
        <ButtonLink look="ink" href={props.issueHref ?? props.listHref}>
          {props.issueHref === null ? 'Open the issues' : 'Open the issue'}
        </ButtonLink>
        {props.issueHref === null ? null : (
          <ButtonLink href={props.listHref}>All issues</ButtonLink>
        )}
      </div>
      <Checks reached={props.reached} />
    </>
  )
}

function Checks(props: { readonly reached: Reached }) {
  return (
    <>
      <h3 className={styles['section']}>What has reached this server</h3>
      {checksOf(props.reached).map((check) => (
        <div key={check.id} className={styles['check']} data-state={check.state}>
          {check.state === 'good' ? (
            <CircleCheck size={14} aria-label="good" />
          ) : check.state === 'bad' ? (
            <TriangleAlert size={14} aria-label="problem" />
          ) : (
            <CircleDashed size={14} aria-label="waiting" />
          )}
          <span>
            {check.title}
            <small>{check.detail}</small>
          </span>
        </div>
      ))}
    </>
  )
}

const HINTS: readonly (readonly [title: string, detail: string, label: string, copy: string])[] = [
  [
    'A content security policy blocks it',
    'connect-src must allow this address, unless you use the tunnel',
    'Copy the header',
    "Content-Security-Policy: connect-src 'self'",
  ],
  [
    'The page is an old build',
    'the served script has no DSN in it',
    'Copy a search',
    'grep -r "monitoring" .next/static dist build',
  ],
  [
    'Nothing failed yet',
    'throw one on purpose from the browser’s console',
    'Copy the line',
    "setTimeout(() => { throw new Error('A first error, on purpose') })",
  ],
]

function Hints() {
  return (
    <>
      <h3 className={styles['section']}>If it stays quiet</h3>
      {HINTS.map(([title, detail, label, copy]) => (
        <div key={title} className={`${styles['check']} ${styles['hint']}`}>
          <span>
            {title}
            <small>{detail}</small>
          </span>
          <CopyButton look="bare" text={copy}>
            {label}
          </CopyButton>
        </div>
      ))}
    </>
  )
}

function useWaited(): number {
  const [waitedMs, setWaitedMs] = useState(0)
  useEffect(() => {
    const startedAt = Date.now()
    const timer = setInterval(() => setWaitedMs(Date.now() - startedAt), 1000)
    return () => clearInterval(timer)
  }, [])
  return waitedMs
}
