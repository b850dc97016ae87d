'use client'

import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './account.module.css'

/** E-mail and password. `onSubmit` returns the failure's message, or null on success. */
export function SignInForm(props: {
  readonly onSubmit: (input: { email: string; password: string }) => Promise<string | null>
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsBusy(true)
    const wrong = await props.onSubmit({
      email: String(form.get('email') ?? ''),
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
        <Field label="E-mail" name="email" type="email" autoComplete="username" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      <Button type="submit" look="ink" size="tall" isWide disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className={styles['note']}>Registration is closed: the owner adds people.</p>
    </form>
  )
}
