import { feedbackWidget, showReportDialog as openReport } from '../integrations/feedback-widget.ts'
import type {
  FeedbackFate,
  FeedbackTexts,
  FeedbackWidget,
  FeedbackWidgetOptions,
  FieldUse,
  ReportDialogOptions,
} from '../integrations/feedback-widget.ts'
import { warnOfOthers } from './absent.ts'

/** Options of the other widget that have a counterpart. Others warn. */
export interface FeedbackOptions {
  readonly autoInject?: boolean
  readonly colorScheme?: 'system' | 'light' | 'dark'
  readonly showName?: boolean
  readonly showEmail?: boolean
  readonly isNameRequired?: boolean
  readonly isEmailRequired?: boolean
  readonly triggerLabel?: string
  readonly formTitle?: string
  readonly nameLabel?: string
  readonly emailLabel?: string
  readonly messageLabel?: string
  readonly isRequiredLabel?: string
  readonly submitButtonLabel?: string
  readonly cancelButtonLabel?: string
  readonly successMessageText?: string
  readonly onFormOpen?: () => void
  readonly onFormClose?: () => void
  readonly onSubmitSuccess?: () => void
  readonly onSubmitError?: () => void
  readonly [option: string]: unknown
}

/** Options of the other report dialog that have a counterpart. Others warn. */
export interface ReportOptions {
  readonly eventId?: string
  readonly user?: { readonly name?: string; readonly email?: string }
  readonly title?: string
  readonly subtitle?: string
  readonly subtitle2?: string
  readonly labelName?: string
  readonly labelEmail?: string
  readonly labelComments?: string
  readonly labelClose?: string
  readonly labelSubmit?: string
  readonly successMessage?: string
  readonly errorGeneric?: string
  readonly errorFormEntry?: string
  readonly onLoad?: () => void
  readonly onClose?: () => void
  readonly [option: string]: unknown
}

let widget: FeedbackWidget | undefined

/** Puts the widget on the page; its elements and its style are our own. */
export function feedbackIntegration(options: FeedbackOptions = {}): FeedbackWidget {
  widget = feedbackWidget(widgetOptions(options))
  return widget
}

export const feedbackAsyncIntegration = feedbackIntegration

export function getFeedback(): FeedbackWidget | undefined {
  return widget
}

export function showReportDialog(options: ReportOptions = {}): void {
  openReport(reportOptions(options))
}

/** Translates the options of the other widget. */
export function widgetOptions(options: FeedbackOptions): FeedbackWidgetOptions {
  const { autoInject = true, colorScheme = 'system', showName, showEmail, ...rest } = options
  const { isNameRequired, isEmailRequired, triggerLabel: button, formTitle: title, ...more } = rest
  const { nameLabel: name, emailLabel: email, messageLabel: message, ...others } = more
  const { isRequiredLabel: required, submitButtonLabel: send, ...further } = others
  const { cancelButtonLabel: cancel, successMessageText: sent, ...last } = further
  const { onFormOpen, onFormClose, onSubmitSuccess, onSubmitError, ...unknown } = last
  warnOfOthers('feedbackIntegration', unknown)
  return {
    button: autoInject,
    name: use(showName, isNameRequired),
    email: use(showEmail, isEmailRequired),
    ...(colorScheme !== 'system' && { theme: colorScheme }),
    ...textsOf({ button, title, name, email, message, required, send, sent }, cancel),
    ...(onFormOpen && { onOpen: onFormOpen }),
    ...(onFormClose && { onClose: onFormClose }),
    onSubmit: (fate: FeedbackFate) => (fate === 'failed' ? onSubmitError?.() : onSubmitSuccess?.()),
  }
}

/** Translates the options of the other report dialog, where name and address are required. */
export function reportOptions(options: ReportOptions): ReportDialogOptions {
  const { eventId, user, onLoad, onClose, title, subtitle, subtitle2, ...rest } = options
  const { labelName: name, labelEmail: email, labelComments: message, ...more } = rest
  const { labelClose: cancel, labelSubmit: send, successMessage: sent, ...others } = more
  const { errorGeneric: failed, errorFormEntry: empty, ...unknown } = others
  warnOfOthers('showReportDialog', unknown)
  const introduction = [subtitle, subtitle2].filter(Boolean).join(' ') || undefined
  return {
    name: 'required',
    email: 'required',
    ...(eventId && { eventId }),
    ...(user && { user }),
    ...(onLoad && { onOpen: onLoad }),
    ...(onClose && { onClose }),
    ...textsOf({ title, introduction, name, email, message, send, sent, failed, empty }, cancel),
  }
}

function use(isShown = true, isRequired = false): FieldUse {
  return isRequired ? 'required' : isShown ? 'optional' : 'hidden'
}

/** Keeps the texts that are given, so that the others stay those of the widget. */
function textsOf(
  given: Partial<Record<keyof FeedbackTexts, string | undefined>>,
  cancel?: string,
): Pick<FeedbackWidgetOptions, 'texts'> {
  const texts = Object.entries({ ...given, cancel, close: cancel }).filter(
    ([, text]) => text !== undefined,
  )
  return texts.length > 0 ? { texts: Object.fromEntries(texts) } : {}
}
