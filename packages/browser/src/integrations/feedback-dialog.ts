import { lastEventId } from '@afterimage/sdk-core/api'
import { guard } from '@afterimage/sdk-core/guard'
import { deliverFeedback } from './deliver-feedback.ts'
import type { FeedbackFate } from './deliver-feedback.ts'
import { createFields, make } from './feedback-form.ts'
import type { FieldUse, Filled, FormFields } from './feedback-form.ts'
import { feedbackStyle } from './feedback-style.ts'
import type { FeedbackTexts } from './feedback-texts.ts'

export interface FeedbackDialogOptions {
  /** The field for a name; optional by default. */
  readonly name?: FieldUse
  /** The field for a mail address; optional by default. */
  readonly email?: FieldUse
  /** By default that of the person's system. */
  readonly theme?: 'light' | 'dark'
  /** Texts in place of the English ones. */
  readonly texts?: Partial<FeedbackTexts>
  /** The language of the texts, as `de`; that of the page by default, where texts are given. */
  readonly lang?: string
  /** Fills in name and address; by default the user of the scope. */
  readonly user?: { readonly name?: string; readonly email?: string }
  readonly onOpen?: () => void
  readonly onClose?: () => void
  /** Receives the fate of each report. */
  readonly onSubmit?: (fate: FeedbackFate) => void
}

export interface FeedbackDialog {
  /** The shadow root that holds the dialog. */
  readonly root: ShadowRoot
  /** Puts it on the page, closed, if it is not there. */
  place(): void
  /** Opens the dialog about an event; by default about the newest one. */
  open(eventId?: string): void
  /** Takes the dialog off the page. The focus returns to where it was. */
  remove(): void
}

/** Makes a dialog in a shadow root, which is not on the page yet. */
export function createDialog(
  options: FeedbackDialogOptions,
  standard: FeedbackTexts,
  source: string,
): FeedbackDialog {
  const texts = { ...standard, ...options.texts }
  const drawn = draw(options, texts)
  const { dialog, fields, cancel } = drawn
  const { host, root } = createHost(options, dialog)
  let associatedEventId: string | undefined

  const sending = createSending(drawn, texts, async (filled) => {
    const about = associatedEventId === undefined ? {} : { associatedEventId }
    const fate = await deliverFeedback({ ...filled, ...about, source })
    guard(() => options.onSubmit?.(fate))
    return fate
  })

  function place(): void {
    // Frameworks that replace the body take the host with it.
    if (!host.isConnected) document.body.append(host)
  }

  cancel.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => guard(() => options.onClose?.()))
  return {
    root,
    place,
    open(eventId = lastEventId()) {
      if (dialog.open) return
      associatedEventId = eventId
      fields.prefill(options.user)
      sending.begin()
      place()
      dialog.showModal()
      guard(() => options.onOpen?.())
    },
    remove() {
      dialog.close()
      host.remove()
    },
  }
}

/** Sends the fields when the form is submitted, and says how that ended. */
function createSending(
  { dialog, form, fields, entry, failure, status, submit, cancel }: Drawn,
  texts: FeedbackTexts,
  send: (filled: Filled) => Promise<FeedbackFate>,
): { /** Offers the fields, unless they are being sent. */ begin(): void } {
  let isSending = false

  function show(text: string, isDone = false): void {
    status.textContent = text
    failure.textContent = ''
    cancel.textContent = isDone ? texts.close : texts.cancel
    entry.hidden = submit.hidden = isDone
    if (isDone && dialog.open) cancel.focus()
  }

  async function sendFilled(filled: Filled): Promise<void> {
    isSending = true
    // A disabled button would lose the focus.
    submit.setAttribute('aria-disabled', 'true')
    show(texts.sending)
    const fate = await send(filled)
    isSending = false
    submit.removeAttribute('aria-disabled')
    show(fate === 'failed' ? '' : texts[fate], fate !== 'failed')
    if (fate === 'failed') failure.textContent = texts.failed
    else form.reset()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const filled = isSending ? null : fields.read()
    if (filled) void sendFilled(filled)
  })
  return {
    begin() {
      if (!isSending) show('')
    },
  }
}

interface Drawn {
  readonly dialog: HTMLDialogElement
  readonly form: HTMLFormElement
  readonly fields: FormFields
  /** Holds the fields, which are hidden once their words are sent. */
  readonly entry: HTMLElement
  readonly failure: HTMLElement
  readonly status: HTMLElement
  readonly submit: HTMLButtonElement
  readonly cancel: HTMLButtonElement
}

function draw(options: FeedbackDialogOptions, texts: FeedbackTexts): Drawn {
  const { name = 'optional', email = 'optional' } = options
  const fields = createFields({ name, email, texts })
  const introduction = texts.introduction ? [make('p', {}, texts.introduction)] : []
  const entry = make('div', {}, ...introduction, ...fields.nodes)
  const failure = make('p', { role: 'alert' })
  const status = make('p', { role: 'status' })
  const submit = make('button', { type: 'submit' }, texts.send)
  const cancel = make('button', { type: 'button' })
  const row = make('div', { class: 'row' }, submit, cancel)
  // Faults are said in the dialog's own language, not in that of the browser.
  const form = make('form', { novalidate: '' }, entry, failure, status, row)
  const title = make('h2', { id: 'title' }, texts.title)
  const dialog = make('dialog', { 'aria-labelledby': 'title' }, title, form)
  return { dialog, form, fields, entry, failure, status, submit, cancel }
}

/** Makes the element around the dialog. Recordings of the page mask what is in it. */
function createHost(
  { theme, texts, lang = texts ? '' : 'en' }: FeedbackDialogOptions,
  dialog: HTMLElement,
): { readonly host: HTMLElement; readonly root: ShadowRoot } {
  const host = document.createElement('afterimage-feedback')
  host.setAttribute('data-afterimage-mask', '')
  if (theme) host.setAttribute('theme', theme)
  if (lang) host.lang = lang
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(feedbackStyle)
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  // To listeners of the page the event comes from the host, so that they take typing for shortcuts.
  for (const type of ['keydown', 'keypress', 'keyup']) {
    root.addEventListener(type, (event) => event.stopPropagation())
  }
  return { host, root }
}
