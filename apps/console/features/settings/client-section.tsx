import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import styles from './settings.module.css'

/** The state of the console's own client in this tab. */
export interface ClientState {
  readonly recorder:
    | { readonly name: 'notStarted' }
    | { readonly name: 'running'; readonly mode: string; readonly isPaused: boolean }
    | { readonly name: 'stopped'; readonly reason: string }
  readonly rates: {
    readonly traces: number
    readonly sessionReplays: number
    readonly errorReplays: number
  }
  readonly tunnel: string
  /** By `reason:category`. */
  readonly discards: Readonly<Record<string, number>>
}

export interface Limit {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'characters' | 'count'
}

/**
 * Shows the console as an application that embeds the service: the state of its client, and its
 * limits. `client` is null where the console reports nothing.
 */
export function ClientSection(props: {
  readonly client: ClientState | null
  readonly limits: readonly Limit[]
  /** Items that the console's clients reported as discarded, over a day. */
  readonly told: readonly { readonly reason: string; readonly count: number }[]
}) {
  const { client, limits, told } = props
  return (
    <div className={styles['section']}>
      <Section id="client" title="The console’s own client">
        {client === null ? (
          <State kind="paused" title="The console does not monitor itself" />
        ) : (
          <dl className={styles['facts']}>
            <dt>Recorder</dt>
            <dd>{recorderWords(client.recorder)}</dd>
            <dt>Traces sampled</dt>
            <dd>{client.rates.traces}</dd>
            <dt>Sessions recorded</dt>
            <dd>{client.rates.sessionReplays}</dd>
            <dt>Errors with a replay</dt>
            <dd>{client.rates.errorReplays}</dd>
            <dt>Tunnel</dt>
            <dd>
              <code>{client.tunnel}</code>
            </dd>
            <dt>Dropped, not yet told</dt>
            <dd>{countWords(Object.entries(client.discards))}</dd>
            <dt>Dropped in 24 hours</dt>
            <dd>{countWords(told.map(({ reason, count }) => [reason, count]))}</dd>
            {limits.map(({ name, value, unit }) => (
              <div key={name} className={styles['fact']}>
                <dt>{name}</dt>
                <dd>
                  {exactNumber(value)}
                  {unit === 'count' ? '' : ` ${unit}`}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
    </div>
  )
}

function recorderWords(recorder: ClientState['recorder']): string {
  if (recorder.name === 'notStarted') return 'not started'
  if (recorder.name === 'stopped') return `stopped: ${recorder.reason}`
  return `running, mode ${recorder.mode}${recorder.isPaused ? ', paused' : ''}`
}

function countWords(counts: readonly (readonly [string, number])[]): string {
  const some = counts.filter(([, count]) => count > 0)
  if (some.length === 0) return 'nothing'
  return some.map(([name, count]) => `${name} ${exactNumber(count)}`).join(', ')
}
