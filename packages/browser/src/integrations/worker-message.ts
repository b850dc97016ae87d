import { isObject } from '@afterimage/sdk-core/normalize'
import type { SdkEvent } from '@afterimage/sdk-core/event'

/** An error on its way from a worker to its page. */
export interface WorkerMessage {
  readonly afterimage: {
    /** Plain data, with frames. */
    readonly event: SdkEvent
    /** Debug ids of the files in its frames, by the stack of their snippets. */
    readonly debugIds: Readonly<Record<string, string>>
    /** Address of the worker's script. */
    readonly filename: string
    /** Place of an error that the browser may raise on the page as well. */
    readonly place?: ErrorPlace
  }
}

/** The place of an uncaught error, as its `ErrorEvent` says. */
export interface ErrorPlace {
  readonly filename: string
  readonly lineno: number
  readonly colno: number
}

export function isWorkerMessage(data: unknown): data is WorkerMessage {
  const { event } = ((data as Partial<WorkerMessage> | null)?.afterimage ?? {}) as {
    event?: SdkEvent
  }
  return isObject(event) && Array.isArray(event.exception?.values)
}
