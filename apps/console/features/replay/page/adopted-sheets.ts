import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../timeline/recorded.ts'
import { adaptDeclaration } from './apply-attribute.ts'

type Root = Document | ShadowRoot
/** A rule that matches nothing, in place of one that this browser does not know: later changes count rules. */
const placeholder = ':not(*){}'

/** The player's own styles, which the page's styles override. */
const ownRules = `
:where(img:not([src]),video,iframe:not([src]),object:not([data]),embed:not([src]),.rr-block,.sentry-block,.afterimage-block){background:repeating-linear-gradient(135deg,rgb(120 115 105/.14) 0 1px,rgb(120 115 105/.06) 1px 9px)}
:where([afterimage-focus-visible]){outline:auto 1px -webkit-focus-ring-color}
*{caret-color:transparent!important}
noscript{display:none!important}`

/** Style sheets made by scripts, and their users. Users are remembered by id, so that a moved host keeps its sheets. */
export class AdoptedSheets {
  readonly #css: (text: string) => string
  readonly #sheets = new Map<number, CSSStyleSheet>()
  readonly #adopted = new Map<number, readonly number[]>()
  readonly #own = new WeakMap<Document, CSSStyleSheet>()

  constructor(css: (text: string) => string) {
    this.#css = css
  }

  sheet(styleId: number): CSSStyleSheet | null {
    return this.#sheets.get(styleId) ?? null
  }

  /** Makes the new sheets, and notes their users. Returns the users whose sheets have changed. */
  note(data: Fields, doc: Document): readonly number[] {
    const made = new Set<number>()
    for (const style of listOf(data['styles'])) {
      const styleId = numberOf(fieldsOf(style)['styleId'])
      const sheet = newSheet(doc)
      if (styleId === null || sheet === null) continue
      this.#sheets.set(styleId, sheet)
      made.add(styleId)
      changeRules({ adds: fieldsOf(style)['rules'] }, sheet, this.#css)
    }
    const id = numberOf(data['id'])
    if (id !== null) this.#adopted.set(id, listOf(data['styleIds']).map(Number))
    return [...this.#adopted]
      .filter(([user, ids]) => user === id || ids.some((one) => made.has(one)))
      .map(([user]) => user)
  }

  /** Gives a document or a shadow root the sheets that `id` uses, after the player's own. */
  give(root: Root, id: number | null): void {
    const doc = root.ownerDocument ?? root
    const ids = (id === null ? null : this.#adopted.get(id)) ?? []
    const theirs = ids.flatMap((one) => this.#sheets.get(one) ?? [])
    try {
      root.adoptedStyleSheets = [...this.#ownSheet(doc), ...theirs]
    } catch {
      root.adoptedStyleSheets = this.#ownSheet(doc) // Sheets of another document.
    }
  }

  #ownSheet(doc: Document): CSSStyleSheet[] {
    const known = this.#own.get(doc)
    if (known !== undefined) return [known]
    const sheet = newSheet(doc)
    if (sheet === null) return []
    sheet.replaceSync(ownRules)
    this.#own.set(doc, sheet)
    return [sheet]
  }
}

function newSheet(doc: Document): CSSStyleSheet | null {
  const view = doc.defaultView
  return view === null ? null : new view.CSSStyleSheet()
}

/** Applies a recorded change of a sheet's rules: `adds`, then `removes`, or another text. */
export function changeRules(
  data: Fields,
  sheet: CSSStyleSheet,
  css: (text: string) => string,
): void {
  for (const added of listOf(data['adds'])) {
    const { rule, index } = fieldsOf(added)
    insertRule(sheet, css(textOf(rule, ruleCharsMax) ?? ''), pathOf(index))
  }
  for (const removed of listOf(data['removes'])) {
    const path = pathOf(fieldsOf(removed)['index']) ?? []
    const last = path.at(-1) ?? -1
    const group = groupAt(sheet, path.slice(0, -1))
    if (group !== null && last >= 0 && last < group.cssRules.length) group.deleteRule(last)
  }
  const text = data['replaceSync'] ?? data['replace']
  if (typeof text === 'string') sheet.replaceSync(css(text))
}

/** A rule may hold a picture as text. */
const ruleCharsMax = 10_000_000

function insertRule(sheet: CSSStyleSheet, rule: string, path: readonly number[] | null): void {
  const group = groupAt(sheet, path?.slice(0, -1) ?? [])
  if (group === null) return
  // Without a place a recorded rule comes first, as `insertRule` does.
  const index = Math.min(Math.max(0, path?.at(-1) ?? 0), group.cssRules.length)
  try {
    group.insertRule(rule, index)
  } catch {
    group.insertRule(placeholder, index)
  }
}

/**
 * Applies a recorded change of one declaration: `set` or `remove` at the rule `index`. Our recorder
 * gives all declarations of a rule as its property `rr_style`.
 */
export function changeDeclaration(
  data: Fields,
  sheet: CSSStyleSheet,
  css: (text: string) => string,
): void {
  const path = pathOf(data['index']) ?? []
  const rule = groupAt(sheet, path.slice(0, -1))?.cssRules[path.at(-1) ?? -1] as
    | CSSStyleRule
    | undefined
  const set = fieldsOf(data['set'])
  const property = textOf(set['property'])
  if (property !== null) {
    const value = adaptDeclaration(property, textOf(set['value'], ruleCharsMax) ?? '', css)
    if (property === 'rr_style' && rule?.style) rule.style.cssText = value
    rule?.style?.setProperty(property, value, set['priority'] === 'important' ? 'important' : '')
  }
  const removed = textOf(fieldsOf(data['remove'])['property'])
  if (removed !== null) rule?.style?.removeProperty(removed)
}

/** A rule's place: a number, or a path through rules that hold rules. Null when none was given. */
function pathOf(index: unknown): readonly number[] | null {
  if (Array.isArray(index)) return index.map(Number)
  return numberOf(index) === null ? null : [index as number]
}

function groupAt(
  sheet: CSSStyleSheet,
  path: readonly number[],
): CSSStyleSheet | CSSGroupingRule | null {
  let group: CSSStyleSheet | CSSGroupingRule = sheet
  for (const index of path) {
    const rule = group.cssRules[index] as CSSGroupingRule | undefined
    if (rule?.cssRules === undefined) return null
    group = rule
  }
  return group
}
