/**
 * Limits on the stored parts of an event, in characters unless the name says otherwise. Longer text is cut and
 * ends in `...`; longer lists lose their less useful end. The values are those that SDKs of all
 * languages are written against.
 */
export const eventLimits = {
  identifier: 128,
  label: 256,
  logger: 64,
  transaction: 200,
  culprit: 200,
  serverName: 256,
  release: 200,
  environment: 64,
  dist: 64,
  checksum: 128,
  message: 8192,
  exceptionValue: 8192,
  url: 2048,
  tagKey: 200,
  tagValue: 200,
  tags: 100,
  email: 75,
  username: 128,
  fingerprintParts: 32,
  fingerprintPart: 512,
  exceptions: 50,
  threads: 100,
  frames: 250,
  /** Frames, counted from where it was thrown, that keep variables and source lines. */
  framesWithSource: 50,
  sourceLine: 1024,
  sourceLines: 20,
  breadcrumbs: 100,
  breadcrumbMessage: 8192,
  contexts: 64,
  contextName: 100,
  headers: 100,
  images: 200,
  modules: 1000,
  problems: 50,
  problemValue: 200,
  /** A User-Agent is written by the sender; nothing longer is a browser's. */
  userAgent: 512,
} as const

/** Limits on a value of unknown shape: characters of JSON, roughly, and levels. */
export interface BagLimit {
  readonly size: number
  readonly depth: number
}

export const bagLimits = {
  small: { size: 1024, depth: 3 },
  medium: { size: 2048, depth: 5 },
  large: { size: 8192, depth: 7 },
  larger: { size: 16_384, depth: 7 },
  massive: { size: 262_144, depth: 7 },
} as const satisfies Record<string, BagLimit>
