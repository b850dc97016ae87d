/** Every count, size and time that bounds what the client's integrations keep, each with its reason. */

/** Events of one kind on one element within this time make one breadcrumb. */
export const sameElementMs = 1000
/** Characters of a person's message; the server has the same limit. */
export const feedbackCharactersMax = 4096
/**
 * Envelopes waiting for the network: their number, their bytes, and how long they are worth
 * sending.
 */
export const offlineEnvelopesMax = 30
export const offlineBytesMax = 5_000_000
export const offlineAgeMsMax = 3 * 24 * 60 * 60 * 1000
/** Waits between attempts while offline: doubled from the first to the last. */
export const offlineRetryMsMin = 5000
export const offlineRetryMsMax = 60 * 60 * 1000
