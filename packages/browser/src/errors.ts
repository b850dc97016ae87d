/**
 * The smallest entry: errors and what led to them. Sessions, client reports, the offline queue and
 * feedback are imports of their own, and all part of `index.ts`.
 */
import { start } from './api.ts'
import { breadcrumbs } from './capture/breadcrumbs.ts'
import { globalErrors } from './capture/global-errors.ts'
import type { Client } from './client.ts'
import { dedupe } from './dedupe.ts'
import { filters } from './filters.ts'
import type { Integration } from './integration.ts'
import type { Options } from './options.ts'

export {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureMessage,
  close,
  flush,
  getClient,
  lastEventId,
  setContext,
  setExtra,
  setTag,
  setTags,
  setUser,
} from './api.ts'
export { getScope, withScope } from './scope.ts'
export type { Client } from './client.ts'
export type { Breadcrumb, CaptureContext, Hint, SdkEvent } from './event.ts'
export type { Integration } from './integration.ts'
export type { Options, Pattern } from './options.ts'
export type { Scope } from './scope.ts'

/** Starts reporting errors. Null when the DSN is none. */
export function init(options: Options): Client | null {
  return start(options, errorIntegrations(options))
}

/** What `init` of this entry begins with. */
export function errorIntegrations(options: Options): Integration[] {
  return [globalErrors(), breadcrumbs(), filters(options), dedupe()]
}
