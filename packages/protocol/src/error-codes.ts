/** One failure of the environment: settings, disk, stores or network. */
export interface ErrorCodeText {
  /** The HTTP status it becomes at the edge. */
  readonly status: number
  /** Says what has happened, in one sentence. */
  readonly meaning: string
  /** Says what an operator can do about it. */
  readonly advice: string
}

/**
 * Lists every failure of the environment. Logs and answers name the code; the console has a public
 * page for each. `docs/errors.md` lists the same codes, and a test compares the two.
 */
export const errorCodes = {
  CONFIG_INVALID: {
    status: 500,
    meaning: 'A setting has a value that the server cannot use.',
    advice: 'Correct the named settings and start again.',
  },
  ADDRESS_IN_USE: {
    status: 500,
    meaning: 'Another program listens on the address that the server is to listen on.',
    advice: 'Stop that program, or set another PORT.',
  },
  INPUT_INVALID: {
    status: 400,
    meaning: 'A command was given a value that it does not accept.',
    advice: 'Correct the named value and try again.',
  },
  DATA_DIR_LOCKED: {
    status: 500,
    meaning: 'Two servers cannot write into one data directory.',
    advice: 'Stop the other server, or choose another AFTERIMAGE_DATA_DIR.',
  },
  DATA_DIR_UNUSABLE: {
    status: 500,
    meaning: 'The data directory cannot be written, or something in it is missing or damaged.',
    advice: 'Correct what the message names, or choose another AFTERIMAGE_DATA_DIR.',
  },
  QUEUE_FULL: {
    status: 503,
    meaning: 'New data cannot be made durable at present, so it was not accepted.',
    advice: 'Processing is behind or the disk is full. Try again later.',
  },
  STORAGE_FAILED: {
    status: 503,
    meaning: 'A store could not be read or written.',
    advice: 'Check the disk and the permissions of the data directory.',
  },
  MIGRATION_FAILED: {
    status: 500,
    meaning: 'The data could not be migrated to the form this version needs.',
    advice: 'Restore a backup, or run the version that wrote the data.',
  },
  QUERY_TOO_SLOW: {
    status: 400,
    meaning: 'A query of the event store took longer than its limit.',
    advice: 'Narrow the search: a shorter time range, one project, or fewer wildcards.',
  },
  QUERY_ABANDONED: {
    status: 499,
    meaning: 'The client closed its request before the event store answered.',
    advice: 'No action is needed: the client has gone.',
  },
  READS_BUSY: {
    status: 503,
    meaning: 'Too many queries are waiting for the event store.',
    advice: 'Try again in a moment, with a narrower search.',
  },
  SHUTTING_DOWN: {
    status: 503,
    meaning: 'The server is stopping and accepts no new requests.',
    advice: 'Try again in a moment.',
  },
  UPSTREAM_FAILED: {
    status: 502,
    meaning: 'An envelope was forwarded to another region, which did not accept it.',
    advice: 'The forwarded region did not answer. Check its address.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeText>>

export type ErrorCode = keyof typeof errorCodes

/** Returns the text of a code, or null for an unknown code. */
export function errorCodeText(code: string): ErrorCodeText | null {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : null
}
