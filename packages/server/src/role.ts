/**
 * One of the three programs of the server while it runs. The command line (and the test server)
 * starts it, announces its address, and stops it.
 */
export interface Role {
  /** What the supervisor shows: where it listens, and on the first run the owner's link. */
  readonly announcement: RoleAnnouncement
  /** Stops taking, finishes what was begun, flushes, closes. Resolves when nothing is left to do. */
  stop(): Promise<void>
}

export interface RoleAnnouncement {
  readonly address?: string
  /** One-time link that creates the owner account; only while there is no user. */
  readonly ownerLink?: string
}

/** How a role ends that cannot start with the settings it was given (`EX_CONFIG` of sysexits). */
export const EXIT_CONFIG = 78

/** What a role tells its supervisor over the process channel. */
export type RoleMessage = { readonly type: 'ready'; readonly announcement: RoleAnnouncement }
