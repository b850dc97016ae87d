import { cardNumbers } from '@afterimage/sdk-core/cards'
import { attributeOf } from '@afterimage/sdk-core/describe-element'
import { listen } from '@afterimage/sdk-core/listen'
import { secretFieldsMax, secretsMax } from '../limits.ts'

/**
 * Passwords and card numbers, which no option shows. They are known by their field's history, by
 * their value, and by equality with a known secret elsewhere.
 */
export interface Secrets {
  /** Says whether a field's value is never shown. Remembers passwords. */
  isSecret(field: Element | null): boolean
  /** Returns typed text without digits that may become a card number, an expiry date or a code. */
  typed(text: string): string
  /** Returns text that may be shown, without card numbers and known secrets. */
  show(text: string): string
  close(): void
}

/** Names of secret fields that hold letters; digits are recognised without a name. */
const names =
  /pass(w|phrase|code)|\bpwd|one-?time|\botp|\b[2m]fa\b|(verification|security).?code|\bcc-|card|iban/i

/** Four or more digits, or digits at the end of the text, which may still grow. */
const heldBack = /\p{N}(?:[^\p{L}\p{N}]*\p{N}){3,}|\p{N}[^\p{L}]*$/gu

/**
 * Begins with the page, long before the recorder: a page may reveal a password by changing the type
 * of its field, or by replacing the field.
 */
export function watchSecrets(): Secrets {
  const passwords = new WeakSet<Element>()
  /** The newest password fields, whose values may be set without an event. */
  const fields: WeakRef<HTMLInputElement>[] = []
  const known = new Set<string>()

  function remember(field: Element): void {
    if (passwords.has(field)) return
    passwords.add(field)
    fields.push(new WeakRef(field as HTMLInputElement))
    fields.splice(0, fields.length - secretFieldsMax)
  }
  function note(value: string): void {
    const secret = compact(value)
    if (!secret || known.has(secret)) return
    // While a secret is typed only the longest version is kept.
    for (const it of known) if (secret.startsWith(it)) known.delete(it)
    known.add(secret)
    for (const it of known) if (known.size > secretsMax) known.delete(it)
  }
  function isKnown(text: string): boolean {
    for (const field of fields) note(field.deref()?.value ?? '')
    const given = known.size > 0 && compact(text)
    return !!given && [...known].some((secret) => isPart(secret, given))
  }
  function isSecret(field: Element | null): boolean {
    if (!field) return true
    const get = (name: string): string => attributeOf(field, name)
    if (/password/i.test(get('type')) || isDotted(field)) remember(field)
    if (passwords.has(field)) {
      note((field as HTMLInputElement).value)
      return true
    }
    const said = ['autocomplete', 'name', 'id', 'aria-label', 'placeholder'].map(get)
    return names.test(said.join(' ').replace(/_/g, ' '))
  }

  // Zones keep the browser's original under this name.
  const { __zone_symbol__MutationObserver: Observer = MutationObserver } = globalThis as {
    __zone_symbol__MutationObserver?: typeof MutationObserver
  }
  const observer = new Observer((records) => {
    for (const { target, oldValue } of records) {
      if (/password/i.test(oldValue ?? '')) remember(target as Element)
    }
  })
  observer.observe(document, { subtree: true, attributeFilter: ['type'], attributeOldValue: true })
  const unlisten = listen(document, 'input', (event: Event) => {
    const [field] = event.composedPath()
    if ((field as Partial<HTMLInputElement>).type === 'password') isSecret(field as Element)
  })
  return {
    isSecret,
    typed: (text) =>
      isKnown(text)
        ? stars(text)
        : text.replace(heldBack, (digits) => {
            if (digits.replace(/\P{N}/gu, '').length > 3) note(digits)
            return stars(digits)
          }),
    show: (text) => (isKnown(text) ? stars(text) : text.replace(cardNumbers, stars)),
    close() {
      observer.disconnect()
      unlisten()
    },
  }
}

/**
 * Tells whether a text field draws dots in place of its letters, as pages do to keep browsers from
 * saving a password.
 */
function isDotted(field: Element): boolean {
  // Other elements have no selection, and are not asked for their style.
  return (
    (field as HTMLInputElement).selectionEnd! >= 0 &&
    /disc|circle|square/.test(getComputedStyle(field).getPropertyValue('-webkit-text-security'))
  )
}

/** Removes the spaces and dashes between groups. */
function compact(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '')
}

/**
 * Tells whether one contains the other. Very short texts would match anywhere, so they must begin
 * the secret.
 */
function isPart(secret: string, text: string): boolean {
  return (
    secret.startsWith(text) ||
    (text.length > 3 && secret.includes(text)) ||
    (secret.length > 3 && text.includes(secret))
  )
}

function stars(text: string): string {
  return text.replace(/\S/g, '*')
}
