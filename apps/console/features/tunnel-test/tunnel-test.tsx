'use client'

import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import styles from './tunnel-test.module.css'
import { wordsOf, type Verdict, type Way } from './verdict.ts'

export interface TestedWay {
  readonly way: Way
  /** The address that it is sent to, without the key. */
  readonly address: string
}

const titles: Readonly<Record<Way, string>> = {
  tunnel: 'Through the tunnel',
  direct: 'Straight to the DSN’s address',
}

const reasons: Readonly<Record<Way, string>> = {
  tunnel: 'A path of the page’s own host: how the console, and any page with a tunnel, reports.',
  direct: 'How clients without a tunnel report.',
}

/** One envelope each way, and what came of it. `onTest` never rejects. */
export function TunnelTest(props: {
  readonly ways: readonly TestedWay[]
  readonly onTest: (way: Way) => Promise<Verdict>
}) {
  const [verdicts, setVerdicts] = useState<Partial<Record<Way, Verdict>>>({})
  const [isRunning, setIsRunning] = useState(false)
  const run = async () => {
    setIsRunning(true)
    setVerdicts({})
    await Promise.all(
      props.ways.map(async ({ way }) => {
        const verdict = await props.onTest(way)
        setVerdicts((before) => ({ ...before, [way]: verdict }))
      }),
    )
    setIsRunning(false)
  }
  return (
    <Section
      id="tunnel-test"
      title="One envelope each way"
      tools={
        <Button look="ink" disabled={isRunning} onClick={() => void run()}>
          {isRunning ? 'Sending…' : 'Send them'}
        </Button>
      }
    >
      <div aria-live="polite">
        {props.ways.map(({ way, address }) => (
          <WayRow
            key={way}
            way={way}
            address={address}
            verdict={verdicts[way] ?? null}
            isRunning={isRunning}
          />
        ))}
      </div>
      <p className={styles['foot']}>
        Both are kept as one issue of the project Afterimage itself, with the level info.
      </p>
    </Section>
  )
}

function WayRow(props: {
  readonly way: Way
  readonly address: string
  readonly verdict: Verdict | null
  readonly isRunning: boolean
}) {
  const { way, address, verdict } = props
  const words = verdict === null ? null : wordsOf(verdict, way, address)
  const state = verdict === null ? 'waiting' : verdict.type === 'arrived' ? 'good' : 'bad'
  return (
    <article className={styles['way']} data-way={way} data-verdict={verdict?.type ?? 'none'}>
      {state === 'good' ? (
        <CircleCheck size={16} aria-label="It works" className={styles['good']} />
      ) : state === 'bad' ? (
        <TriangleAlert size={16} aria-label="It does not work" className={styles['bad']} />
      ) : (
        <CircleDashed size={16} aria-hidden className={styles['waiting']} />
      )}
      <div>
        <h3>{titles[way]}</h3>
        <p className={styles['address']}>
          <code>POST {address}</code>
        </p>
        {words === null ? (
          <p className={styles['detail']}>{props.isRunning ? 'Sent, waiting…' : reasons[way]}</p>
        ) : (
          <p className={styles['detail']}>
            <b>{words.title}.</b> {words.detail}
          </p>
        )}
      </div>
    </article>
  )
}
