'use client'

import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './account.module.css'

export interface OwnerInput {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The first account of a new server. `onSubmit` returns the failure's message, or null. */
export function OwnerForm(props: {
  readonly onSubmit: (input: OwnerInput) => Promise<string | null>
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsBusy(true)
    const wrong = await props.onSubmit({
      name: String(form.get('name') ?? '').trim(),
      email: String(form.get('email') ?? '').trim(),
      password: String(form.get('password') ?? ''),
    })
    setProblem(wrong)
    if (wrong !== null) setIsBusy(false)
  }
  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <div className={styles['fields']}>
        <Field
          label="Your name"
          name="name"
          autoComplete="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form: its reader came to fill it in
          autoFocus
          required
          maxLength={200}
        />
        <Field label="E-mail" name="email" type="email" autoComplete="username" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={128}
          hint="At least eight characters."
        />
      </div>
      <Button type="submit" look="ink" size="tall" isWide disabled={isBusy}>
        {isBusy ? 'Creating…' : 'Create the owner account'}
      </Button>
      <p className={styles['note']}>
        The link you came by works once. Nothing you enter here leaves this server.
      </p>
    </form>
  )
}
