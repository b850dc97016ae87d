/** The client's name and version in envelopes; a test compares the version with the manifest. */
export const sdk = { name: 'afterimage.javascript.browser', version: '0.1.0' } as const
