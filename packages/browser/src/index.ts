/** The client with all its parts but tracing and the recorder. */
import { start } from './api.ts'
import type { Client } from './client.ts'
import { clientReports } from './client-reports.ts'
import { errorIntegrations } from './errors.ts'
import { offlineQueue } from './offline-queue.ts'
import type { Options } from './options.ts'
import { sessions } from './sessions.ts'

export * from './errors.ts'
export { captureFeedback } from './feedback.ts'
export type { Attachment, Feedback } from './feedback.ts'

/** Starts reporting errors, sessions and what was discarded. Null when the DSN is none. */
export function init(options: Options): Client | null {
  return start(options, [
    ...errorIntegrations(options),
    sessions(),
    clientReports(),
    offlineQueue(),
  ])
}
