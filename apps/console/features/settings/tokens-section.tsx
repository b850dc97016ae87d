'use client'

import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import styles from './settings.module.css'

export interface Token {
  readonly id: string
  readonly name: string
  readonly dateCreated: string
  readonly lastUsedAt: string | null
}

/** Lists tokens for tools. A secret is shown once, when created; revoking one requires typing its name. */
export function TokensSection(props: {
  readonly tokens: readonly Token[]
  readonly onCreate: (
    name: string,
  ) => Promise<{ readonly secret: string } | { readonly problem: string }>
  /** Returns the failure's message, or null. */
  readonly onRevoke: (id: string) => Promise<string | null>
}) {
  const [made, setMade] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [ending, setEnding] = useState<Token | null>(null)
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const answer = await props.onCreate(String(new FormData(form).get('name') ?? '').trim())
    setProblem('problem' in answer ? answer.problem : null)
    if ('secret' in answer) {
      setMade(answer.secret)
      form.reset()
    }
  }
  return (
    <div className={styles['section']}>
      <Section id="tokens" title="API tokens" note="for sentry-cli, bundler plugins and scripts">
        {props.tokens.length === 0 ? (
          <State kind="empty" title="No tokens">
            A token lets a tool use the API in your name.
          </State>
        ) : null}
        <TokenRows tokens={props.tokens} onEnd={setEnding} />
        <form className={styles['form']} onSubmit={(event) => void create(event)}>
          <Field
            label="New token"
            name="name"
            size="normal"
            required
            maxLength={200}
            placeholder="ci"
            autoComplete="off"
          />
          <Button type="submit">Create</Button>
        </form>
        {problem === null ? null : (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        {made === null ? null : (
          <div role="status">
            <div className={styles['secret']}>
              <code>{made}</code>
              <CopyButton text={made}>Copy</CopyButton>
            </div>
            <p className={styles['muted']}>
              This is the only time it is shown. Only its hash is kept.
            </p>
          </div>
        )}
      </Section>
      <RevokeDialog
        key={ending?.id ?? ''}
        token={ending}
        onClose={() => setEnding(null)}
        onRevoke={props.onRevoke}
      />
    </div>
  )
}

function TokenRows(props: {
  readonly tokens: readonly Token[]
  readonly onEnd: (token: Token) => void
}) {
  return props.tokens.map((token) => (
    <div key={token.id} className={styles['row']}>
      <b>{token.name}</b>
      <span className={styles['muted']}>
        made <RelativeTime at={token.dateCreated} />,{' '}
        {token.lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            used <RelativeTime at={token.lastUsedAt} />
          </>
        )}
      </span>
      <span className={styles['end']}>
        <Button look="bare" onClick={() => props.onEnd(token)}>
          Revoke…
        </Button>
      </span>
    </div>
  ))
}

function RevokeDialog(props: {
  readonly token: Token | null
  readonly onClose: () => void
  readonly onRevoke: (id: string) => Promise<string | null>
}) {
  const { token } = props
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const revoke = async () => {
    if (token === null) return
    const wrong = await props.onRevoke(token.id)
    if (wrong === null) props.onClose()
    else setProblem(wrong)
  }
  return (
    <Dialog
      isOpen={token !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose()
      }}
      title="Revoke this token"
      description={`Tools that use “${token?.name ?? ''}” will be refused. Type its name to confirm.`}
    >
      <Field
        label="Name of the token"
        size="normal"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={props.onClose}>Keep it</Button>
        <Button look="danger" disabled={typed !== token?.name} onClick={() => void revoke()}>
          Revoke
        </Button>
      </DialogActions>
    </Dialog>
  )
}
