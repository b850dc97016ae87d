import type { Counts, OutgoingItem } from './envelope.ts'
import type { SpanPayload } from '@afterimage/protocol/span'
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

/** A span on its way out, as `beforeSendSpan` may change it. */
export interface SdkSpan extends Mutable<Omit<SpanPayload, 'data'>> {
  data?: Record<string, unknown>
}

export type Breadcrumb = Mutable<BreadcrumbPayload>

/** Facts about an event that are not sent. */
export interface Hint {
  /** The value that was thrown or passed. */
  readonly originalException?: unknown
  /** The way it was caught; by default `generic` and handled. */
  readonly mechanism?: { readonly type: string; readonly handled: boolean }
  /** The stack of a value without one. */
  readonly syntheticException?: { readonly stack?: string | undefined }
  /** Members laid over those of the scope. */
  readonly context?: CaptureContext | undefined
  /** Quantities by data category that are lost with the event; by default one of its own. */
  readonly counts?: Counts
  /** Items of type `attachment`, to travel in the same envelope. */
  readonly attachments?: readonly OutgoingItem[]
}

/** Members that one capture adds to those of the scope. */
export type CaptureContext = Pick<
  Mutable<SdkMembers>,
  'user' | 'tags' | 'extra' | 'contexts' | 'fingerprint' | 'level' | 'transaction'
>
