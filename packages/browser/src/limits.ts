/** Every count, size and time that bounds what the client's integrations keep, each with its reason. */

/** Events of one kind on one element within this time make one breadcrumb. */
export const sameElementMs = 1000
/** What a person writes; the server's own limit. */
export const feedbackCharactersMax = 4096
/** What waits for the network: envelopes, their bytes, and how long they are worth sending. */
export const offlineEnvelopesMax = 30
export const offlineBytesMax = 5_000_000
export const offlineAgeMsMax = 3 * 24 * 60 * 60 * 1000
/** Waits between attempts at what is offline: doubled from the first to the last. */
export const offlineRetryMsMin = 5000
export const offlineRetryMsMax = 60 * 60 * 1000
