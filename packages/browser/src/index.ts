/** The client with all its parts but tracing and the recorder. */
import { start } from '@afterimage/sdk-core/api'
import type { Client } from '@afterimage/sdk-core/client'
import { clientReports } from './client-reports.ts'
import { errorIntegrations } from './errors.ts'
import { labels } from '@afterimage/sdk-core/labels'
import { offlineQueue } from './offline-queue.ts'
import type { Options } from '@afterimage/sdk-core/options'
import { sessions } from './sessions.ts'

export * from './errors.ts'
export { captureFeedback } from './feedback.ts'
export type { Attachment, Feedback } from './feedback.ts'

/** Starts reporting errors, sessions and discarded events. Null when the DSN is not valid. */
export function init(options: Options): Client | null {
  return start(options, [
    ...errorIntegrations(options),
    sessions(),
    clientReports(),
    offlineQueue(),
    labels(),
  ])
}
