import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import type { Client } from './client.ts'
import type { Answer } from './transport.ts'

/**
 * How capture, tracing, sessions and the recorder hook in. Everything is guarded: an integration
 * that throws is skipped for that call. Integrations run in the order they were given.
 */
export interface Integration {
  readonly name: string
  /** What the events it discards are counted under; `event_processor` unless given. */
  readonly discardReason?: string
  /** Called once, when the client starts. What it returns undoes it, step by step, at `close`. */
  setup?(client: Client): readonly (() => void)[] | void
  /** Every event of every type, before `beforeSend`. Null discards it. */
  processEvent?(event: SdkEvent, hint: Hint, client: Client): SdkEvent | null
  /** The event passed `beforeSend`, and the sampling roll comes next. */
  willSend?(event: SdkEvent, hint: Hint, client: Client): void
  /** What became of an event that was handed to the transport. */
  afterSend?(event: SdkEvent, answer: Answer, client: Client): void
  /** Every breadcrumb that was kept. `hint` is what it was made from. */
  breadcrumb?(breadcrumb: Breadcrumb, hint: Readonly<Record<string, unknown>>): void
  /** Whatever it still holds is handed to the transport now: the page may be going away. */
  flush?(): void
}
