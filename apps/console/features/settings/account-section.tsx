'use client'

import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import styles from './settings.module.css'

/** Shows the reader's own account, with a form to change the password. */
export function AccountSection(props: {
  readonly user: { readonly name: string; readonly email: string }
  /** Returns the failure's message, or null. */
  readonly onPassword: (input: {
    currentPassword: string
    newPassword: string
  }) => Promise<string | null>
}) {
  const [said, setSaid] = useState<{ isGood: boolean; text: string } | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const wrong = await props.onPassword({
      currentPassword: String(data.get('current') ?? ''),
      newPassword: String(data.get('next') ?? ''),
    })
    setSaid(
      wrong === null
        ? { isGood: true, text: 'The password was changed. Your other sessions have ended.' }
        : { isGood: false, text: wrong },
    )
    if (wrong === null) form.reset()
  }
  return (
    <div className={styles['section']}>
      <Section id="account" title="Your account" note={`${props.user.name}, ${props.user.email}`}>
        <form className={styles['stack']} onSubmit={(event) => void submit(event)}>
          <input
            type="text"
            name="username"
            autoComplete="username"
            hidden
            readOnly
            value={props.user.email}
          />
          <Field
            label="Current password"
            name="current"
            type="password"
            size="normal"
            autoComplete="current-password"
            required
          />
          <Field
            label="New password"
            name="next"
            type="password"
            size="normal"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={128}
          />
          {said === null ? null : (
            <p role="status" className={styles[said.isGood ? 'done' : 'problem']}>
              {said.text}
            </p>
          )}
          <Button type="submit">Change the password</Button>
        </form>
      </Section>
    </div>
  )
}
