/** Ends the work on an upload that cannot be read; the message is for whoever sent it. */
export class UnusableUpload extends Error {
  override name = 'UnusableUpload'
}
