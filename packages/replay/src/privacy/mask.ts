import { fixedMask, shapeCharactersMax, shapesMax } from '../limits.ts'
import type { Privacy } from './privacy.ts'

/** Stars for common word lengths, each made once. */
const short: string[] = []
for (let length = 0; length < 64; length++) short.push(starsOf(length))

/**
 * Returns this many stars as one flat string. V8 keeps the results of `repeat`, `slice`, `+` and
 * patterns in pieces, and one such text doubles the time of an event's JSON (8,000 texts: 4.6
 * instead of 2.2 ms).
 */
function starsOf(length: number): string {
  return short[length] ?? Array(length + 1).join('*')
}

/** A trie of masked texts: 0 leads on for a space, 1 for a star. */
interface Shape {
  0?: Shape
  1?: Shape
  text?: string
}

const shapes: Shape = {}
let shapesLeft = shapesMax

/**
 * Returns the shape of a short text; undefined if it is longer, has other spaces, or the cache is
 * full.
 */
function shapeOf(text: string): Shape | undefined {
  if (text.length > shapeCharactersMax) return
  let shape = shapes
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // The first space beyond ASCII, apart from U+00A0, is U+1680.
    const isStar = code > 32 && code < 0x1680 && code !== 160
    if (!isStar && code !== 32) return
    const kind = isStar ? 1 : 0
    if (!shape[kind] && shapesLeft-- < 1) return
    shape = shape[kind] ??= {}
  }
  return shape
}

/**
 * Replaces every character but spaces, so that lines still break where they did. The texts of a
 * page have few shapes, so most come from the cache.
 */
export function stars(text: string): string {
  const shape = shapeOf(text)
  return shape ? (shape.text ??= starsOfWords(text)) : starsOfWords(text)
}

function starsOfWords(text: string): string {
  if (!text.trim()) return text
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 32 && ((code > 32 && code < 127) || /\S/.test(text.charAt(at)))) continue
    parts.push(starsOf(at - from), text.charAt(at))
    from = at + 1
  }
  parts.push(starsOf(text.length - from))
  return parts.join('')
}

/** Divides the choices of a list in its text, by which alone rrweb notices that others have changed. */
export const betweenChoices = '\0'

export interface Masks extends Privacy {
  /** rrweb's hook for inputs: all choices of a list become its text. */
  readonly input: (text: string, element: Element) => string
  isUnmasked(element: Element | null | undefined): boolean
}

export function createMasks({ selectors, secrets }: Privacy): Masks {
  const masks: Masks = {
    selectors,
    secrets,
    input(text, element) {
      if (!text) return text
      if (secrets.isSecret(element) || !masks.isUnmasked(element)) return fixedMask
      const { type, selectedOptions } = element as HTMLSelectElement
      return type === 'select-multiple'
        ? Array.from(selectedOptions, (it) => (masks.isUnmasked(it) ? it.value : fixedMask)).join(
            betweenChoices,
          )
        : secrets.typed(text)
    },
    /** The nearest mark wins; on one element the mask does. Goes on through shadow hosts. */
    isUnmasked(element) {
      for (let inside = element; inside;) {
        const root = inside.getRootNode()
        const shown = inside.closest(selectors.unmask)
        // Masked by default; only a shadow host may still show it.
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
