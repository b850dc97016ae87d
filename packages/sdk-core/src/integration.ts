import type { ClientSettings } from '@afterimage/protocol/client-settings'
import type { Breadcrumb, Hint, SdkEvent } from './event.ts'
import type { Client } from './client.ts'
import type { Answer } from './transport.ts'

/**
 * A part that captures, traces or records. Everything is guarded: an integration that throws is
 * skipped for that call. Integrations run in the order given.
 */
export interface Integration {
  readonly name: string
  /** Reason under which the events that it discards are counted; `event_processor` by default. */
  readonly discardReason?: string
  /** Called once, when the client starts. The functions that it returns undo it at `close`. */
  setup?(client: Client): readonly (() => void)[] | void
  /**
   * Applies the server's settings, which can only make it record less. Called before `setup` or
   * after it, and again with all settings when they change.
   */
  restrict?(settings: ClientSettings): void
  /** Receives every event of every type, before `beforeSend`. Null discards it. */
  processEvent?(event: SdkEvent, hint: Hint, client: Client): SdkEvent | null
  /** Called once the event has passed `beforeSend`, before it is sampled. */
  willSend?(event: SdkEvent, hint: Hint, client: Client): void
  /** Receives the fate of an event that was handed to the transport. */
  afterSend?(event: SdkEvent, answer: Answer, client: Client): void
  /** Receives every breadcrumb that was kept. `hint` holds the objects it was made from. */
  breadcrumb?(breadcrumb: Breadcrumb, hint: Readonly<Record<string, unknown>>): void
  /** Hands everything still held to the transport: the page may be about to be left. */
  flush?(): void
}
