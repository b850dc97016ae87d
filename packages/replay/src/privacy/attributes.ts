import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { fixedMask } from '../limits.ts'
import type { Attributes, StyleChange } from '../recording/rrweb.ts'
import { ruleOf } from './attribute-rules.ts'
import { stars } from './mask.ts'
import type { Shown } from './shown.ts'
import { cleanDeclaration, cleanStyle } from './styles.ts'

export interface AttributeRules {
  readonly keepQuery: readonly string[] | undefined
  readonly shown: Shown
  /** Masks the words of a style sheet. */
  readonly cleanSheet: (sheet: string) => string
}

/**
 * Rewrites the attributes of one emitted element in place. Addresses are rewritten even where text
 * is shown. Drawings are recorded only where asked for.
 */
export function maskAttributes(
  attributes: Attributes,
  id: number,
  { keepQuery, shown, cleanSheet }: AttributeRules,
): void {
  let isShown: boolean | undefined
  const isTextShown = (): boolean => (isShown ??= shown.text(id))
  for (const name in attributes) {
    const rule = ruleOf(name)
    const value = attributes[name]
    if (rule === 'keep' || !value) continue
    if (typeof value === 'object' && rule === 'style') maskStyles(value)
    else if (typeof value === 'object' || rule === 'drop') attributes[name] = undefined
    else if (rule === 'value') {
      // rrweb masks typed values, but records the value attribute of buttons, options and radios.
      const isValueShown = shown.value(id)
      if (name === 'value') attributes[name] = isValueShown ? shown.show(`${value}`) : fixedMask
    } else if (typeof value === 'string') {
      attributes[name] =
        rule === 'address'
          ? // A drawing refers to parts of others by id; only its links lead anywhere.
            value[0] === '#' && shown.isDrawing(id, 'a')
            ? value
            : cleanAddresses(value, keepQuery)
          : rule === 'style'
            ? cleanOwn(value)
            : rule === 'sheet'
              ? cleanSheet(value)
              : // Its geometry and its paint hold neither queries nor data.
                rule === 'drawn' && !/\?|data:/.test(value) && shown.isDrawing(id)
                ? value
                : isTextShown()
                  ? shown.show(value)
                  : stars(value)
    }
  }
}

/**
 * Cleans an address, or a list with descriptions as in `srcset`. Those that name no page keep only
 * their scheme.
 */
export function cleanAddresses(value: string, keepQuery: readonly string[] | undefined): string {
  return value
    .replace(/(^|\s)(?!https?:\/\/)([a-z][\w+.-]*:).*/is, '$1$2')
    .replace(/\S+/g, (address) => cleanAddress(address, keepQuery))
}

function maskStyles(styles: StyleChange): void {
  for (const name in styles) {
    const value = styles[name]
    if (typeof value === 'string') styles[name] = cleanDeclaration(name, value, cleanOwn)
    else if (value) value[0] = cleanDeclaration(name, value[0] ?? '', cleanOwn)
  }
}

/** Cleans the declarations of an element, which keep no address. */
function cleanOwn(style: string): string {
  return cleanStyle(style, null)
}
