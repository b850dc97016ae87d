'use client'

import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { codeText, FRAMEWORKS, type Address, type CodePart } from './snippets.ts'
import styles from './onboarding.module.css'

/** The steps of one framework with this project's address filled in. */
export function SetupSteps(props: { readonly address: Address; readonly platform: string | null }) {
  const [selected, setSelected] = useState(() => frameworkOf(props.platform))
  const framework = FRAMEWORKS.find((one) => one.id === selected) ?? FRAMEWORKS[0]
  return (
    <>
      <Tabs
        label="Framework"
        tabs={FRAMEWORKS}
        selected={selected}
        onSelect={setSelected}
        className={styles['tabs'] ?? ''}
      />
      <div role="tabpanel" id={`${selected}-panel`} aria-labelledby={`${selected}-tab`}>
        {framework?.steps(props.address).map((step, index) => (
          <div key={step.title} className={styles['step']}>
            <span className={styles['number']}>{index + 1}</span>
            <div>
              <h2>{step.title}</h2>
              {step.note === undefined ? null : <p>{step.note}</p>}
              <CodeBlock text={codeText(step.code)}>
                {step.code.map((part, place) => (
                  <Part key={place} part={part} />
                ))}
              </CodeBlock>
            </div>
          </div>
        ))}
      </div>
    </>
  )
}

function Part(props: { readonly part: CodePart }) {
  const { part } = props
  if (typeof part === 'string') return part
  return 'mark' in part ? <mark>{part.mark}</mark> : <i>{part.quiet}</i>
}

/** The tab for a project's platform, `javascript-react` or `python-django`; Next.js when it says nothing. */
function frameworkOf(platform: string | null): string {
  const words = platform?.split('-') ?? []
  return (
    FRAMEWORKS.find((one) => words.includes(one.id))?.id ??
    (words.includes('javascript') ? 'browser' : 'nextjs')
  )
}
