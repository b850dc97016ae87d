import type { Counts, OutgoingItem } from './envelope.ts'
import type { EventException } from '@afterimage/protocol/event'
import type { BreadcrumbPayload, EventPayload } from '@afterimage/protocol/event-payload'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface SdkMembers extends Mutable<Omit<EventPayload, 'exception'>> {
  exception?: { values: EventException[] }
  /** Transactions only. */
  start_timestamp?: number
  spans?: readonly unknown[]
}

/** An event on its way out, as processors and `beforeSend` may change it. */
export interface SdkEvent extends SdkMembers {
  [member: string]: unknown
}

export type Breadcrumb = Mutable<BreadcrumbPayload>

/** What is known about an event beside what is sent. */
export interface Hint {
  /** What was thrown or handed over. */
  readonly originalException?: unknown
  /** How it was caught; by default `generic` and handled. */
  readonly mechanism?: { readonly type: string; readonly handled: boolean }
  /** A stack for what brings none. */
  readonly syntheticException?: { readonly stack?: string | undefined }
  /** Members laid over those of the scope. */
  readonly context?: CaptureContext | undefined
  /** Quantities by data category that are lost with it; one of its own unless given. */
  readonly counts?: Counts
  /** Items of type `attachment`, to travel in the same envelope. */
  readonly attachments?: readonly OutgoingItem[]
}

/** What one capture adds to the scope's own. */
export type CaptureContext = Pick<
  Mutable<SdkMembers>,
  'user' | 'tags' | 'extra' | 'contexts' | 'fingerprint' | 'level' | 'transaction'
>
