'use client'

import {
  clientLists,
  clientRates,
  type ClientList,
  type ClientRate,
  type ClientSettings,
} from '@afterimage/protocol/client-settings'
import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import styles from './settings.module.css'

const rateLabels: Readonly<Record<ClientRate, string>> = {
  sampleRate: 'Errors sent',
  tracesSampleRate: 'Traces sent',
  replaysSessionSampleRate: 'Sessions recorded',
  replaysOnErrorSampleRate: 'Errors with a replay',
}

const listLabels: Readonly<Record<ClientList, readonly [label: string, hint: string]>> = {
  ignoreErrors: [
    'Errors to ignore',
    'One text in a line. An error whose message contains it is not sent.',
  ],
  denyUrls: [
    'Scripts to ignore',
    'One text in a line. Errors of scripts whose address contains it are not sent.',
  ],
  mask: [
    'Elements to mask',
    'One selector in a line. Recordings show stars in place of their text.',
  ],
  block: [
    'Elements to block',
    'One selector in a line. Recordings show empty boxes in their place.',
  ],
}

/** Saves settings; returns the failure's message, or null. */
type Save = (settings: ClientSettings) => Promise<string | null>

/** Shows what clients of a project are told, and changes it. */
export function ClientSettingsForm(props: {
  readonly settings: ClientSettings
  readonly onSave: Save
}) {
  const { settings, onSave } = props
  return (
    <>
      <p className={styles['lead']}>
        Clients with <code>remoteSettings()</code> among their integrations ask for these settings
        once a session.
      </p>
      <StopSection settings={settings} onSave={onSave} />
      <LimitsSection settings={settings} onSave={onSave} />
    </>
  )
}

function StopSection({
  settings,
  onSave,
}: {
  readonly settings: ClientSettings
  readonly onSave: Save
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const isStopped = settings.enabled === false
  const turn = async () => setProblem(await onSave({ ...settings, enabled: isStopped }))
  return (
    <div className={styles['section']}>
      <Section id="client-switch" title="Switch">
        <State
          kind={isStopped ? 'paused' : 'empty'}
          title={isStopped ? 'Clients are stopped' : 'Clients report'}
          action={
            <Button look={isStopped ? 'plain' : 'danger'} onClick={() => void turn()}>
              {isStopped ? 'Let clients report' : 'Stop clients'}
            </Button>
          }
        >
          {isStopped
            ? 'They record, send and keep nothing. Once they may report again, they begin in a visitor’s next session, with its second page.'
            : 'Stopped clients record, send and keep nothing, from a visitor’s next session on.'}
        </State>
        {problem === null ? null : (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
      </Section>
    </div>
  )
}

function LimitsSection({
  settings,
  onSave,
}: {
  readonly settings: ClientSettings
  readonly onSave: Save
}) {
  const [said, setSaid] = useState<{ isGood: boolean; text: string } | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const next = { ...settingsOf(given), ...(settings.enabled === false && { enabled: false }) }
    const wrong = invalidSelector(next) ?? (await onSave(next))
    setSaid(
      wrong === null
        ? { isGood: true, text: 'Saved. It takes effect at a visitor’s next session.' }
        : { isGood: false, text: wrong },
    )
  }
  return (
    <div className={styles['section']}>
      <Section
        id="client-limits"
        title="Limits"
        note="they can only make clients record less than the code says"
      >
        <form className={styles['limits']} onSubmit={(event) => void submit(event)}>
          {clientRates.map((name) => (
            <Field
              key={name}
              label={rateLabels[name]}
              name={name}
              size="normal"
              type="number"
              min={0}
              max={1}
              step="any"
              defaultValue={settings[name] ?? ''}
              placeholder="as in the code"
              hint="At most this share, 0 to 1."
            />
          ))}
          {clientLists.map((name) => (
            <TextArea
              key={name}
              label={listLabels[name][0]}
              hint={listLabels[name][1]}
              name={name}
              rows={4}
              spellCheck={false}
              defaultValue={(settings[name] ?? []).join('\n')}
            />
          ))}
          <div className={styles['save']}>
            <Button type="submit" look="ink" size="field">
              Save
            </Button>
            <p role="status" className={styles[said?.isGood === false ? 'problem' : 'muted']}>
              {said?.text ?? 'A change takes effect at a visitor’s next session.'}
            </p>
          </div>
        </form>
      </Section>
    </div>
  )
}

function settingsOf(given: FormData): ClientSettings {
  const textOf = (name: string) => String(given.get(name) ?? '').trim()
  const rates = clientRates.flatMap((name) => {
    const text = textOf(name)
    return text === '' ? [] : [[name, Number(text)] as const]
  })
  const lists = clientLists.map((name) => {
    const lines = textOf(name)
      .split('\n')
      .map((line) => line.trim())
    return [name, lines.filter((line) => line !== '')] as const
  })
  return Object.fromEntries([...rates, ...lists])
}

/** Names the first selector that no browser understands: clients would hide everything because of it. */
function invalidSelector({ mask = [], block = [] }: ClientSettings): string | null {
  const fragment = document.createDocumentFragment()
  for (const selector of [...mask, ...block]) {
    try {
      fragment.querySelector(selector)
    } catch {
      return `“${selector}” is not a valid selector.`
    }
  }
  return null
}
