import { warn } from '@afterimage/sdk-core/debug'
import { guardEach } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { createDialog } from './feedback-dialog.ts'
import type { FeedbackDialog, FeedbackDialogOptions } from './feedback-dialog.ts'
import { make } from './feedback-form.ts'
import { feedbackTexts, reportTexts } from './feedback-texts.ts'

export type { FeedbackFate } from './deliver-feedback.ts'
export type { FeedbackDialogOptions } from './feedback-dialog.ts'
export type { FieldUse } from './feedback-form.ts'
export type { FeedbackTexts } from './feedback-texts.ts'

export interface FeedbackWidgetOptions extends FeedbackDialogOptions {
  /** Shows a button in the corner of the page; true by default. */
  readonly button?: boolean
}

export interface FeedbackWidget extends Integration {
  /** Opens the dialog, once the client has started; about the newest event, or the one named. */
  open(eventId?: string): void
  /** Opens the dialog at clicks on an element of the page. Returns a function that ends this. */
  attachTo(element: Element): () => void
}

/** Puts a button on the page with a dialog in which people report problems. */
export function feedbackWidget(options: FeedbackWidgetOptions = {}): FeedbackWidget {
  const { button: hasButton = true } = options
  let dialog: FeedbackDialog | undefined
  const attached = new Set<() => void>()

  function open(eventId?: string): void {
    if (dialog) dialog.open(eventId)
    else warn('the feedback widget opens after `init` and before `close` only.')
  }

  return {
    name: 'feedbackWidget',
    setup() {
      const made = createDialog(options, feedbackTexts, 'widget')
      dialog = made
      if (hasButton) {
        const { button: text } = { ...feedbackTexts, ...options.texts }
        const button = make('button', { type: 'button', class: 'open' }, text)
        button.addEventListener('click', () => made.open())
        made.root.prepend(button)
      }
      // Until then a framework may compare the page with what its server sent.
      const stopWaiting = listen(window, 'load', made.place)
      if (document.readyState === 'complete') made.place()
      return [
        stopWaiting,
        () => {
          dialog = undefined
          guardEach(attached, (unlisten) => unlisten())
          attached.clear()
          made.remove()
        },
      ]
    },
    open,
    attachTo(element) {
      const unlisten = listen(element, 'click', () => open())
      attached.add(unlisten)
      return () => {
        attached.delete(unlisten)
        unlisten()
      }
    },
  }
}

export interface ReportDialogOptions extends FeedbackDialogOptions {
  /** The event that the report is about; by default the newest one. */
  readonly eventId?: string
}

let removeReport: (() => void) | undefined

/**
 * Opens a dialog in which a person reports an error, once. It leaves the page when it is closed, and
 * takes the place of an earlier one. Returns a function that closes it.
 */
export function showReportDialog(options: ReportDialogOptions = {}): () => void {
  removeReport?.()
  const remove = (): void => {
    if (removeReport === remove) removeReport = undefined
    dialog.remove()
  }
  const onClose = (): void => {
    remove()
    options.onClose?.()
  }
  const dialog = createDialog({ ...options, onClose }, reportTexts, 'report-dialog')
  removeReport = remove
  dialog.open(options.eventId)
  return remove
}
