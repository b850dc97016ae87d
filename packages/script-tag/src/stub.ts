/**
 * Keeps the calls that pages make before the client is loaded. An `init` with integrations, which
 * are parts of the client, belongs in `onLoad`.
 */
export const queuedCalls = [
  'init',
  'captureException',
  'captureMessage',
  'captureEvent',
  'captureFeedback',
  'addBreadcrumb',
  'addEventProcessor',
  'setUser',
  'setTag',
  'setTags',
  'setContext',
  'setExtra',
  'setExtras',
  'withScope',
] as const

/** Stands in for the client until it is loaded. */
export interface Stub {
  /** Runs a callback once the client is loaded: the place for `init`. */
  onLoad(run: () => void): void
  /** Calls in their order; those of `onLoad` have the name ''. */
  readonly queue: [name: string, values: readonly unknown[]][]
  /** Uncaught errors and rejections. */
  readonly events: Event[]
  /** Stops listening for errors. */
  stop(): void
}
