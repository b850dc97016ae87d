/**
 * The names and options of `@sentry/browser` that applications use, so that one alias in a bundler
 * moves them. A name or an option without a counterpart warns once, in development.
 */
import { absentFunction } from './absent.ts'

export {
  addBreadcrumb,
  captureEvent,
  close,
  flush,
  lastEventId,
  setContext,
  setExtra,
  setTag,
  setTags,
  setUser,
} from '@afterimage/sdk-core/api'
export type {
  Breadcrumb,
  SdkEvent as ErrorEvent,
  SdkEvent as Event,
} from '@afterimage/sdk-core/event'
export type { Hint as EventHint } from '@afterimage/sdk-core/event'
export type { Integration } from '@afterimage/sdk-core/integration'
export type { EventLevel as SeverityLevel, EventUser as User } from '@afterimage/protocol/event'
export { captureFeedback, captureFeedback as sendFeedback } from '../feedback.ts'
export { featureFlags as openFeatureIntegration } from '../integrations/feature-flags.ts'
export { registerWorker as registerWebWorker } from '../integrations/worker.ts'
export * from './capture.ts'
export {
  feedbackAsyncIntegration,
  feedbackIntegration,
  getFeedback,
  showReportDialog,
} from './feedback.ts'
export * from './init.ts'
export * from './integrations.ts'
export * from './logs-and-metrics.ts'
export {
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  withIsolationScope,
  withScope,
} from './scope.ts'
export type { Scope } from './scope.ts'
export { addEventProcessor, setExtras } from '../scopes.ts'
export type { EventProcessor } from '../scopes.ts'
export * from './spans.ts'
export { SDK_VERSION } from './version.ts'

/** Runs at once: the client is loaded. */
export function onLoad(callback: () => void): void {
  callback()
}

/** Does nothing: the client is loaded. */
export function forceLoad(): void {}

export const captureSession = /* @__PURE__ */ absentFunction('captureSession')
export const endSession = /* @__PURE__ */ absentFunction('endSession')
export const lazyLoadIntegration = /* @__PURE__ */ absentFunction('lazyLoadIntegration')
export const startSession = /* @__PURE__ */ absentFunction('startSession')
