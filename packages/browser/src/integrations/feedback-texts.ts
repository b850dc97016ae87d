/** Everything that the widget and its dialog say. `%d` stands for a number. */
export interface FeedbackTexts {
  readonly button: string
  readonly title: string
  /** A sentence above the fields; '' for no sentence. */
  readonly introduction: string
  readonly name: string
  readonly email: string
  readonly message: string
  /** Stands behind the label of a field that must be filled in. */
  readonly required: string
  readonly limit: string
  readonly send: string
  readonly cancel: string
  readonly close: string
  /** Said of an empty field that must be filled in. */
  readonly empty: string
  readonly invalidEmail: string
  readonly sending: string
  readonly sent: string
  readonly waiting: string
  readonly failed: string
}

export const feedbackTexts: FeedbackTexts = {
  button: 'Report a problem',
  title: 'Report a problem',
  introduction: '',
  name: 'Name',
  email: 'Email',
  message: 'What happened?',
  required: '(required)',
  limit: 'At most %d characters.',
  send: 'Send',
  cancel: 'Cancel',
  close: 'Close',
  empty: 'Fill in this field.',
  invalidEmail: 'Enter an address such as ada@example.com.',
  sending: 'Sending…',
  sent: 'Thank you. Your report was sent.',
  waiting: 'You are offline. Your report will be sent when the network is back.',
  failed: 'Your report could not be sent. Your words are still here: please try again later.',
}

export const reportTexts: FeedbackTexts = {
  ...feedbackTexts,
  title: 'It looks like something went wrong',
  introduction: 'The error was reported. Tell us what happened, and we can find its cause sooner.',
}
