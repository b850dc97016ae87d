/** Every count, size and time that bounds what these integrations keep or send, each with its reason. */

/** Entries of one batch. Reference numbers. */
export const logsMax = 100
export const metricsMax = 1000
/** A batch is sent this long after its first entry. Reference number. */
export const batchMs = 5000
/** Characters of a batch, so that the one a leaving page sends outlives it (64 KiB in all). */
export const batchCharactersMax = 50_000
/** Attributes of one log or metric, a name, and a value as text; the same as those of a span. */
export const attributesMax = 100
export const nameCharactersMax = 200
export const attributeCharactersMax = 1024
/** Newest feature flags on an error. Reference number. */
export const flagsMax = 100
/** Errors of workers that the page may still hear of a second time from the browser. */
export const forwardedErrorsMax = 20
/** Characters of a message in the feedback dialog, below those that `captureFeedback` sends. */
export const feedbackTypedMax = 4000
/** Characters of a name and a mail address there; the server has the same limit. */
export const feedbackLabelMax = 256
/** Characters of an answer with settings: more than all lists together, twice escaped. */
export const settingsCharactersMax = 131_072
