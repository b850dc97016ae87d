import type { ErrorCode } from '../errors.ts'

/**
 * One of the three programs of the server while it runs. The command line (and the test server)
 * starts it, announces its address, and stops it.
 */
export interface Role {
  /** The facts the supervisor shows: the address, and on the first run the owner's link. */
  readonly announcement: RoleAnnouncement
  /** Stops taking, finishes what was begun, flushes, closes. Resolves when nothing is left to do. */
  stop(): Promise<void>
}

export interface RoleAnnouncement {
  readonly address?: string
  /** One-time link that creates the owner account; absent once a user exists. */
  readonly ownerLink?: string
}

/** The exit code of a role that cannot start with its settings (`EX_CONFIG` of sysexits). */
export const EXIT_CONFIG = 78

/** A message from a role to its supervisor over the process channel. */
export type RoleMessage =
  | { readonly type: 'ready'; readonly announcement: RoleAnnouncement }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** Failures to start that only a person can mend: another try would meet them again. */
export const lastingFailures: ReadonlySet<ErrorCode> = new Set([
  'ADDRESS_IN_USE',
  'CONFIG_INVALID',
  'DATA_DIR_LOCKED',
  'DATA_DIR_UNUSABLE',
  'MIGRATION_FAILED',
])
