/**
 * Calls that pages make before the client is there. Where `init` needs integrations, which are parts
 * of the client, it belongs into `onLoad`.
 */
export const queuedCalls = [
  'init',
  'captureException',
  'captureMessage',
  'captureEvent',
  'captureFeedback',
  'addBreadcrumb',
  'setUser',
  'setTag',
  'setTags',
  'setContext',
  'setExtra',
  'withScope',
] as const

/** What stands in for the client until it arrives. */
export interface Stub {
  /** Runs when the client is there: the place for `init`. */
  onLoad(run: () => void): void
  /** Calls in their order; those of `onLoad` have the name ''. */
  readonly queue: [name: string, values: readonly unknown[]][]
  /** Uncaught errors and rejections. */
  readonly events: Event[]
  /** Ends the listening for errors. */
  stop(): void
}
