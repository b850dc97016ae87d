import type { EventUser } from '@afterimage/protocol/event'
import { textOf } from '@afterimage/sdk-core/normalize'
import { getScope } from '@afterimage/sdk-core/scope'
import { feedbackLabelMax, feedbackTypedMax } from './limits.ts'
import type { FeedbackTexts } from './feedback-texts.ts'

/** Says whether a field is shown, and whether it may stay empty. */
export type FieldUse = 'optional' | 'required' | 'hidden'

export interface FormOptions {
  readonly name: FieldUse
  readonly email: FieldUse
  readonly texts: FeedbackTexts
}

/** The words of a person, and who it was; fields left empty are missing. */
export interface Filled {
  readonly message: string
  readonly name?: string
  readonly email?: string
}

interface Field {
  readonly key: keyof Filled
  readonly input: HTMLInputElement | HTMLTextAreaElement
  readonly error: HTMLElement
  readonly nodes: readonly HTMLElement[]
}

export interface FormFields {
  readonly nodes: readonly HTMLElement[]
  /** Fills in a person, by default the user of the scope, where nothing was typed. */
  prefill(user?: EventUser): void
  /** Returns what was typed; null when a field is wrong, which is then said and focused. */
  read(): Filled | null
}

/** Makes an element of the dialog. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Makes the fields for name, address and message. */
export function createFields({ name, email, texts }: FormOptions): FormFields {
  const used = { name, email, message: 'required' } as const
  const fields = (['name', 'email', 'message'] as const)
    .filter((key) => used[key] !== 'hidden')
    .map((key) => createField(key, used[key] === 'required', texts))

  function fault({ key, input }: Field): string {
    if (input.required && !input.value.trim()) return texts.empty
    return key === 'email' && !input.validity.valid ? texts.invalidEmail : ''
  }

  return {
    nodes: fields.flatMap((it) => it.nodes),
    prefill(user = getScope().data.user ?? {}) {
      for (const { key, input } of fields) {
        if (key === 'message') continue
        const known = key === 'name' ? (user.name ?? user.username) : user.email
        input.defaultValue = textOf(known ?? '')
      }
    },
    read() {
      let wrong: Field | undefined
      for (const field of fields) {
        const text = fault(field)
        field.error.textContent = text
        if (text) field.input.setAttribute('aria-invalid', 'true')
        else field.input.removeAttribute('aria-invalid')
        if (text) wrong ??= field
      }
      wrong?.input.focus()
      if (wrong) return null
      const typed = fields.map(({ key, input }) => [key, input.value.trim()] as const)
      return Object.fromEntries(typed.filter(([, text]) => text)) as unknown as Filled
    },
  }
}

function createField(key: keyof Filled, isRequired: boolean, texts: FeedbackTexts): Field {
  const described = `${key}-error${key === 'message' ? ' limit' : ''}`
  const attributes = { id: key, name: key, 'aria-describedby': described }
  const input =
    key === 'message'
      ? make('textarea', { ...attributes, rows: '5', maxlength: `${feedbackTypedMax}` })
      : make('input', {
          ...attributes,
          type: key === 'email' ? 'email' : 'text',
          autocomplete: key,
          maxlength: `${feedbackLabelMax}`,
        })
  input.required = isRequired
  const label = texts[key] + (isRequired ? ` ${texts.required}` : '')
  const error = make('p', { id: `${key}-error`, role: 'alert', class: 'hint' })
  const limit = texts.limit.replace('%d', `${feedbackTypedMax}`)
  const hint = key === 'message' ? [make('p', { id: 'limit', class: 'hint' }, limit)] : []
  return { key, input, error, nodes: [make('label', { for: key }, label), input, ...hint, error] }
}
