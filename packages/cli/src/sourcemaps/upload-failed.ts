/** An upload that ended before its end; the message is for whoever runs it. */
export class UploadFailed extends Error {
  override name = 'UploadFailed'
  /** It may do better a moment later. */
  readonly isPassing: boolean

  constructor(message: string, isPassing = false) {
    super(message)
    this.isPassing = isPassing
  }
}
