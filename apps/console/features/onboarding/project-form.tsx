'use client'

import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './project-form.module.css'

const PLATFORMS: readonly (readonly [id: string, label: string])[] = [
  ['javascript-nextjs', 'Next.js'],
  ['javascript-react', 'React'],
  ['javascript-vue', 'Vue'],
  ['javascript-svelte', 'Svelte'],
  ['javascript', 'Browser'],
  ['node', 'Node'],
  ['python', 'Python'],
  ['other', 'Something else'],
]

/** A project's name and what it is built with. `onSubmit` returns the failure's message, or null. */
export function ProjectForm(props: {
  readonly onSubmit: (input: { name: string; platform: string }) => Promise<string | null>
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsBusy(true)
    const wrong = await props.onSubmit({
      name: String(form.get('name') ?? '').trim(),
      platform: String(form.get('platform') ?? 'other'),
    })
    setProblem(wrong)
    if (wrong !== null) setIsBusy(false)
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <h1 className={styles['title']}>A new project</h1>
      <p className={styles['text']}>
        Create one per application. Its clients report to its own address.
      </p>
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <Field
        label="Name"
        name="name"
        required
        maxLength={100}
        placeholder="storefront"
        autoComplete="off"
      />
      <fieldset className={styles['platforms']}>
        <legend>Built with</legend>
        {PLATFORMS.map(([id, label], index) => (
          <label key={id}>
            <input type="radio" name="platform" value={id} defaultChecked={index === 0} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" look="ink" size="tall" disabled={isBusy}>
        {isBusy ? 'Creating…' : 'Create the project'}
      </Button>
    </form>
  )
}
