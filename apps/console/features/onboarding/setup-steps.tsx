'use client'

import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Segments, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { FRAMEWORKS, frameworkOf } from './frameworks.ts'
import { moveStep } from './sentry-steps.ts'
import { codeText, type Address, type CodePart, type SetupStep } from './setup-step.ts'
import styles from './onboarding.module.css'

const CLIENTS = [
  { id: 'own', label: 'Afterimage’s client' },
  { id: 'sentry', label: 'Sentry’s SDK' },
] as const

/** Draws the steps of one framework with this project's address filled in; our own client first. */
export function SetupSteps(props: { readonly address: Address; readonly platform: string | null }) {
  const [selected, setSelected] = useState(() => frameworkOf(props.platform))
  const [client, setClient] = useState<string>('own')
  const framework = FRAMEWORKS.find((one) => one.id === selected)
  const own = framework?.own ?? null
  const steps =
    client === 'own' && own !== null
      ? own(props.address)
      : [
          ...(framework?.sentry(props.address) ?? []),
          ...(own === null ? [] : [moveStep(props.address)]),
        ]
  return (
    <Tabs selected={selected} onSelect={setSelected}>
      <TabList label="Framework" tabs={FRAMEWORKS} className={styles['tabs']} />
      <TabPanel id={selected}>
        {own === null ? null : (
          <div className={styles['client']}>
            <Segments label="Client" options={CLIENTS} selected={client} onSelect={setClient} />
          </div>
        )}
        {steps.map((step, index) => (
          <Step key={step.title} step={step} number={index + 1} />
        ))}
      </TabPanel>
    </Tabs>
  )
}

function Step(props: { readonly step: SetupStep; readonly number: number }) {
  const { title, note, snippets } = props.step
  return (
    <div className={styles['step']}>
      <span className={styles['number']}>{props.number}</span>
      <div>
        <h2>{title}</h2>
        {note === undefined ? null : <p>{note}</p>}
        {snippets.map(({ code }, index) => (
          <CodeBlock key={index} text={codeText(code)}>
            {code.map((part, place) => (
              <Part key={place} part={part} />
            ))}
          </CodeBlock>
        ))}
      </div>
    </div>
  )
}

function Part(props: { readonly part: CodePart }) {
  const { part } = props
  if (typeof part === 'string') return part
  return 'mark' in part ? <mark>{part.mark}</mark> : <i>{part.quiet}</i>
}
