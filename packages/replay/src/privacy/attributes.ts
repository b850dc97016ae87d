import { cleanAddress } from '@afterimage/browser/clean-address'
import { fixedMask } from '../limits.ts'
import type { Attributes, StyleChange } from '../recording/rrweb.ts'
import { stars } from './mask.ts'
import type { Shown } from './shown.ts'

/** What happens to an attribute before it is recorded. What no list names is masked like text. */
type Rule = 'keep' | 'mask' | 'drawn' | 'value' | 'address' | 'style' | 'sheet' | 'drop'

/** How an element looks and what it is: needed to draw it, and the developer's own words. */
const kept =
  /^(align|bgcolor|border|cell\w+|checked|class|color|(col|row)s(pan)?|contenteditable|dir|disabled|for|height|hidden|id|is|lang|margin\w+|max\w*|media|min\w*|name|nowrap|open|part|rel|role|selected|sizes?|slot|span|start|tabindex|target|valign|width|wrap|rr_(?!d)\w+)$/i
const addresses = /^(background|data|poster|(\w+:)?href|(rr_)?src|srcset)$/i
const dropped = /^(on|srcdoc|nonce|rr_d)/i
/** Geometry and paint, where an element is drawn by its attributes. */
const drawn = /^(?!aria-|data-|(\w+:)?title$|alt$)/i

const rules = new Map<string, Rule>([
  ['value', 'value'],
  ['style', 'style'],
  ['type', 'value'],
  ['_cssText', 'sheet'],
])

function ruleOf(name: string): Rule {
  let rule = rules.get(name)
  if (rule === undefined) {
    rule = addresses.test(name)
      ? 'address'
      : kept.test(name)
        ? 'keep'
        : dropped.test(name)
          ? 'drop'
          : drawn.test(name)
            ? 'drawn'
            : 'mask'
    // A page may invent names without end.
    if (rules.size < 2000) rules.set(name, rule)
  }
  return rule
}

export interface AttributeRules {
  readonly keepQuery: readonly string[] | undefined
  readonly shown: Shown
}

/**
 * Rewrites the attributes of one emitted element in place. Addresses are rewritten also where the
 * text is shown. Drawings are recorded only where asked for.
 */
export function maskAttributes(
  attributes: Attributes,
  id: number,
  { keepQuery, shown }: AttributeRules,
): void {
  let isShown: boolean | undefined
  for (const name in attributes) {
    const rule = ruleOf(name)
    const value = attributes[name]
    if (rule === 'keep' || !value) continue
    if (typeof value === 'object' && rule === 'style') maskStyles(value)
    else if (typeof value === 'object' || rule === 'drop') attributes[name] = undefined
    else if (rule === 'value') {
      // rrweb has masked what people type; of buttons, options and radios it takes the attribute as it is.
      if (!shown.value(id) && name === 'value') attributes[name] = fixedMask
    } else if (typeof value === 'string') {
      attributes[name] =
        rule === 'address'
          ? cleanAddresses(value, keepQuery)
          : rule === 'style'
            ? withoutImages(value)
            : rule === 'sheet'
              ? cleanSheet(value, keepQuery)
              : (rule === 'drawn' && shown.isDrawing(id)) ||
                  (name === 'content' && viewport.test(value)) ||
                  (isShown ??= shown.text(id))
                ? value
                : stars(value)
    }
  }
}

/** `<meta name="viewport" content="…">`. */
const viewport = /^((width|height|\w+-(scale|fit))=[\w.-]+[,;\s]*)+$/

/** One address, or a list with descriptions as in `srcset`. Of what is no place only the kind stays. */
export function cleanAddresses(value: string, keepQuery: readonly string[] | undefined): string {
  return value
    .replace(/(^|\s)(data|javascript|mailto|tel|sms):.*/is, '$1$2:')
    .replace(/\S+/g, (address) =>
      /[?#@]/.test(address) ? cleanAddress(address, keepQuery) : address,
    )
}

function maskStyles(styles: StyleChange): void {
  for (const name in styles) {
    const value = styles[name]
    if (typeof value === 'string') styles[name] = withoutImages(value)
    else if (value) value[0] = withoutImages(value[0] ?? '')
  }
}

/** Properties of any use are among the texts of a style; a string may hold what ends them. */
const strings = /(["'])(\\.|[^\\])*?(\1|$)/gs
const texts = /(content|--[\w-]+)\s*:((["'])(\\.|[^\\])*?(\3|$)|[^;}"'])*/gs
const images = /url\(((["'])(\\.|[^\\])*?(\2|$)|[^()"'])*\)?/gis

/** Letters and digits, but not the escapes and private characters that icons are made of. */
function hideWords(text: string): string {
  return text.replace(/\\[\da-f]+|[\p{L}\p{N}]/giu, (it) => (it[0] === '\\' ? it : '*'))
}

/** Images of a style attribute are media, and texts in it are text. */
export function withoutImages(style: string): string {
  return style.replace(images, 'url()').replace(strings, hideWords)
}

/**
 * A style sheet, with the addresses in it as all others are, and without the words that it writes on
 * the page itself. What is inlined in it stays.
 */
export function cleanSheet(sheet: string, keepQuery: readonly string[] | undefined): string {
  return sheet
    .replace(texts, (it) => it.replace(strings, hideWords))
    .replace(
      /(url\(\s*["']?)(?!data:)([^"')\s]+)/gi,
      (_, start: string, address: string) => start + cleanAddress(address, keepQuery),
    )
}
