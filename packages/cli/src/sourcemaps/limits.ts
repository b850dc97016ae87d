/** Scripts of one folder; each comes with a map, and the server takes 20,000 files at once. */
export const filesMax = 10_000

/** Tries of one request that the network or the server failed, and the pause after the first. */
export const triesMax = 4
export const firstPauseMs = 500

/** A request that has no answer by then has failed. */
export const requestMs = 120_000

/** The server takes in what was uploaded; a client asks this often, and no longer. */
export const stateEveryMs = 500
export const stateMs = 600_000
