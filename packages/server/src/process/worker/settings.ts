import type { YieldSettings } from './yielding.ts'

/** What bounds the worker. Every figure can be given by whoever starts it. */
export interface WorkerSettings extends YieldSettings {
  /** Deliveries and bytes that become one transaction. */
  readonly batchDeliveriesMax: number
  readonly batchBytesMax: number
  /** A batch takes well under a second; one whose lease ran out is processed twice, which changes nothing. */
  readonly leaseMs: number
  /** Tries of a delivery that makes us fail, deaths of the process included, before it is set aside. */
  readonly attemptsMax: number
  /** Blobs written at one time. */
  readonly blobWritesMax: number
  /** Waits between tries while the surroundings fail: doubled from the first to the last. */
  readonly retryMsMin: number
  readonly retryMsMax: number
  /** How long a project's settings are believed. */
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
