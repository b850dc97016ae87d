/** What the client calls itself in envelopes; a test compares the version with the manifest. */
export const sdkName = 'afterimage.javascript.browser'
export const sdkVersion = '0.1.0'
