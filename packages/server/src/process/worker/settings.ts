import type { YieldSettings } from './yielding.ts'

/** Limits of the worker. The caller who starts it may set each one. */
export interface WorkerSettings extends YieldSettings {
  /** Deliveries and bytes that become one transaction. */
  readonly batchDeliveriesMax: number
  readonly batchBytesMax: number
  /** A batch takes well under a second; one whose lease ran out is processed twice, which changes nothing. */
  readonly leaseMs: number
  /** Deaths of the process with a delivery, and tries of storing one alone, before it is set aside. */
  readonly attemptsMax: number
  /** Blobs written at one time. */
  readonly blobWritesMax: number
  /** Waits between tries while a store is failing: doubled from the first to the last. */
  readonly retryMsMin: number
  readonly retryMsMax: number
  /** Time for which a project's settings are cached. */
  readonly projectSettingsMs: number
  readonly projectsMax: number
}

export const defaultWorkerSettings: WorkerSettings = {
  batchDeliveriesMax: 500,
  batchBytesMax: 8 * 1024 * 1024,
  leaseMs: 300_000,
  attemptsMax: 3,
  blobWritesMax: 8,
  retryMsMin: 100,
  retryMsMax: 5000,
  projectSettingsMs: 1000,
  projectsMax: 10_000,
  yieldFrom: 0.6,
  yieldShare: 0.1,
  yieldLookMs: 200,
  yieldMsMax: 5000,
  yieldAgeMsMin: 1000,
  yieldAgeMsMax: 300_000,
}
