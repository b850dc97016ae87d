import { cleanAddress } from '@afterimage/browser/clean-address'
import { fixedMask } from '../limits.ts'
import type { Attributes, StyleChange } from '../recording/rrweb.ts'
import { isSecret, stars } from './mask.ts'
import type { Masks } from './mask.ts'

/** What happens to an attribute before it is recorded. What no list names is masked like text. */
type Rule = 'keep' | 'mask' | 'value' | 'address' | 'style' | 'sheet' | 'drop'

/** How an element looks and what it is: needed to draw it, and the developer's own words. */
const kept =
  /^(align|bgcolor|border|cell\w+|checked|class|color|cols(pan)?|contenteditable|controls|dir|disabled|for|height|hidden|id|is|lang|loading|margin\w+|max\w*|media|min\w*|name|nowrap|open|part|rel|role|rows(pan)?|scope|selected|size|sizes|slot|span|start|tabindex|target|type|valign|width|wrap|rr_(width|height|open_mode|scroll\w+|media\w+))$/i
const addresses = /^(action|background|cite|data|formaction|poster|(\w+:)?href|(rr_)?src|srcset)$/i
const dropped = /^(on|srcdoc$|nonce$|rr_dataURL$)/i
/** Geometry and paint, where an element is drawn by its attributes. */
const drawn = /^(?!aria-|data-|(\w+:)?title$|alt$)/i

const rules = new Map<string, Rule>()

function ruleOf(name: string): Rule {
  let rule = rules.get(name)
  if (rule === undefined) {
    rule =
      named[name] ??
      (addresses.test(name)
        ? 'address'
        : kept.test(name)
          ? 'keep'
          : dropped.test(name)
            ? 'drop'
            : 'mask')
    // A page may invent names without end.
    if (rules.size < 2000) rules.set(name, rule)
  }
  return rule
}

const named: Readonly<Record<string, Rule>> = { value: 'value', style: 'style', _cssText: 'sheet' }

export interface AttributeRules {
  readonly masks: Masks
  readonly keepQuery: readonly string[] | undefined
  /** The live element, asked for only where something is to be masked. */
  readonly elementOf: (id: number) => Element | null
}

/**
 * Rewrites the attributes of one emitted element in place. Addresses are rewritten also where the
 * text is shown. `isDrawing` is true inside of SVG, which is recorded only where asked for.
 */
export function maskAttributes(
  attributes: Attributes,
  id: number,
  isDrawing: boolean | undefined,
  { masks, keepQuery, elementOf }: AttributeRules,
): void {
  let isShown: boolean | undefined
  let element: Element | null | undefined
  const shows = (): boolean => (isShown ??= masks.isUnmasked((element ??= elementOf(id))))
  for (const name in attributes) {
    const rule = ruleOf(name)
    const value = attributes[name]
    if (rule === 'keep' || value === null || value === '' || value === true) continue
    if (typeof value === 'object') {
      if (rule === 'style') maskStyles(value)
      else delete attributes[name]
    } else if (rule === 'drop') delete attributes[name]
    else if (rule === 'value') {
      // rrweb has masked what people type; of buttons, options and radios it takes the attribute as it is.
      if (value !== fixedMask && !(shows() && element && !isSecret(element)))
        attributes[name] = fixedMask
    } else if (typeof value !== 'string') {
      continue
    } else if (rule === 'address') attributes[name] = cleanAddresses(value, keepQuery)
    else if (rule === 'style') attributes[name] = withoutImages(value)
    else if (rule === 'sheet') attributes[name] = cleanSheet(value, keepQuery)
    else if ((isDrawing && drawn.test(name)) || viewport.test(value) || shows()) continue
    else attributes[name] = stars(value)
  }
}

/** `<meta name="viewport" content="…">`. */
const viewport = /^((width|height|[a-z]+-scale|viewport-fit)=[\w.-]+[,;\s]*)+$/

/** One address, or a list with descriptions as in `srcset`. */
export function cleanAddresses(value: string, keepQuery: readonly string[] | undefined): string {
  if (!/[?#@]|^\s*(data|javascript):/i.test(value)) return value
  return value.replace(/\S+/g, (address) => cleanAddress(address, keepQuery))
}

function maskStyles(styles: StyleChange): void {
  for (const name in styles) {
    const value = styles[name]
    if (typeof value === 'string') styles[name] = withoutImages(value)
    else if (Array.isArray(value)) value[0] = withoutImages(value[0] ?? '')
  }
}

/** Images of a style attribute are media, and texts in it are text. */
export function withoutImages(style: string): string {
  return /[("']/.test(style)
    ? style
        .replace(/url\((?:[^()"']|"[^"]*"|'[^']*')*\)?/gi, 'url()')
        .replace(/"[^"]*"|'[^']*'/g, (text) => text[0] + stars(text.slice(1, -1)) + text[0])
    : style
}

/** A style sheet, with the addresses in it as all others are. What is inlined in it stays. */
export function cleanSheet(sheet: string, keepQuery: readonly string[] | undefined): string {
  return sheet.includes('url(')
    ? sheet.replace(
        /(url\(\s*["']?)(?!data:)([^"')\s]+)/gi,
        (_, start: string, address: string) => start + cleanAddress(address, keepQuery),
      )
    : sheet
}
