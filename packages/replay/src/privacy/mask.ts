import { fixedMask } from '../limits.ts'
import type { Selectors } from './selectors.ts'

/** Every character but space, so that lines still break where they did. */
export function stars(text: string): string {
  return text.replace(/\S/g, '*')
}

/** Whether something is left to mask. */
export function isReadable(text: string): boolean {
  return /[^\s*]/.test(text)
}

/** Digits that may be a card's number, wherever they stand. */
const cardNumber = /\d(?:[ -]?\d){11,18}/g

/** Text that may be shown, without what may never be. */
export function withoutCards(text: string): string {
  return text.replace(cardNumber, stars)
}

/** Inputs that no option can show. Names are asked too, since many forms lack `autocomplete`. */
const secretInputs =
  /pass(w|phrase|code)|\bpwd|\bpin\b|one-?time|\botp|\b[2m]fa\b|(verification|security).?code|\bcc-|\bcc.?num|card.?(num|no\b|code|exp)|\bcv[vc]|\bcsc\b|\bssn\b|iban/i

/** Passwords, cards and one-time codes, also where a password is being shown at the moment. */
export function isSecret(element: Element): boolean {
  const get = (name: string): string => Element.prototype.getAttribute.call(element, name) ?? ''
  return (
    get('type').toLowerCase() === 'password' ||
    get('data-rr-is-password') !== '' ||
    secretInputs.test(
      ['autocomplete', 'name', 'id', 'aria-label', 'placeholder']
        .map(get)
        .join(' ')
        .replace(/_/g, ' '),
    )
  )
}

/** From here on one search of the document is cheaper than going up from each element. */
const manyQuestions = 500

export interface Masks {
  readonly selectors: Selectors
  /** rrweb's hook for text; it hands over the element around it, or null inside of a shadow root. */
  readonly text: (text: string, around: Element | null | undefined) => string
  /** rrweb's hook for inputs. */
  readonly input: (text: string, element: Element) => string
  isUnmasked(element: Element | null | undefined): boolean
  /** What was asked about is recorded, and the page may change again. */
  settle(): void
}

export function createMasks(selectors: Selectors): Masks {
  let questions = 0
  /** In a large batch the document is asked once whether there is anything to show at all. */
  let isNothingShown = false
  const masks: Masks = {
    selectors,
    settle() {
      questions = 0
      isNothingShown = false
    },
    text: (text, around) =>
      !isReadable(text) ? text : masks.isUnmasked(around) ? withoutCards(text) : stars(text),
    input: (text, element) =>
      text === '' ||
      (!isSecret(element) && masks.isUnmasked(element) && withoutCards(text) === text)
        ? text
        : fixedMask,
    /** The nearest of both wins; on one element the mask does. Goes on through shadow hosts. */
    isUnmasked(element) {
      questions += 1
      if (questions === manyQuestions) {
        isNothingShown = !document.querySelector(selectors.unmask)
      }
      for (let inside = element; inside;) {
        const root = inside.getRootNode()
        const shown = isNothingShown && root === document ? null : inside.closest(selectors.unmask)
        // Masked is what nothing shows; only a shadow host still could.
        if (!shown && root === document) return false
        const hidden = inside.closest(selectors.mask)
        if (hidden || shown) return shown !== null && !(hidden && shown.contains(hidden))
        inside = (root as Partial<ShadowRoot>).host
      }
      return false
    },
  }
  return masks
}
