/** Stands where a secret was. SDKs write the same, so it is left alone wherever it is met. */
export const filtered = '[Filtered]'
