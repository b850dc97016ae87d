/**
 * The smallest entry: errors and breadcrumbs. Sessions, client reports, the offline queue and
 * feedback are imports of their own, and all part of `index.ts`.
 */
import { breadcrumbs } from './capture/breadcrumbs.ts'
import { start } from '@afterimage/sdk-core/api'
import { dedupe } from './dedupe.ts'
import { filters } from './filters.ts'
import { globalErrors } from './capture/global-errors.ts'
import type { Client } from '@afterimage/sdk-core/client'
import type { Integration } from '@afterimage/sdk-core/integration'
import type { Options } from '@afterimage/sdk-core/options'

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
} from '@afterimage/sdk-core/api'
export { getScope, getScope as getCurrentScope, withScope } from '@afterimage/sdk-core/scope'
export type { Client } from '@afterimage/sdk-core/client'
export type { Breadcrumb, CaptureContext, Hint, SdkEvent } from '@afterimage/sdk-core/event'
export type { Integration } from '@afterimage/sdk-core/integration'
export type { Options, Pattern } from '@afterimage/sdk-core/options'
export type { Scope } from '@afterimage/sdk-core/scope'

/** Starts reporting errors. Null when the DSN is not valid. */
export function init(options: Options): Client | null {
  return start(options, errorIntegrations(options))
}

/** The default integrations of this entry. */
export function errorIntegrations(options: Options): Integration[] {
  return [globalErrors(), breadcrumbs(), filters(options), dedupe()]
}
