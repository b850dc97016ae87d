import { isAttributeName } from './names.ts'

/*
 * A recording is an untrusted page. It is drawn in a frame without scripts whose policy forbids every
 * request. Before drawing, this file removes everything that such a policy does not govern (link hints,
 * DNS prefetch of links, refresh) or that could lead a reader away.
 */

type Attributes = Readonly<Record<string, unknown>>

/** Elements that are drawn without their contents. */
const emptied: ReadonlySet<string> = new Set(['script', 'noscript', 'base', 'meta', 'template'])
/** Attributes that hold an address which an element would load or go to. */
const addresses: ReadonlySet<string> = new Set(
  'src href xlink:href data poster background rr_dataurl rr_src code codebase manifest cite longdesc lowsrc dynsrc classid archive'.split(
    ' ',
  ),
)
/** Attributes that never affect the picture of a page. */
const dropped: ReadonlySet<string> = new Set(
  'ping action formaction srcdoc srcset imagesrcset http-equiv autofocus autoplay attributionsrc integrity nonce is target download sandbox csp allow loading'.split(
    ' ',
  ),
)

/** True for elements whose recorded children are not drawn. */
export function isEmptied(tag: string): boolean {
  return emptied.has(tag)
}

/** The attributes that may be drawn. A style sheet travels as text (`_cssText`); a link without it is nothing. */
export function cleanAttributes(tag: string, attributes: Attributes): Record<string, unknown> {
  if (tag === 'meta') return cleanMeta(attributes)
  if (emptied.has(tag)) return {}
  if (tag === 'link') return cleanLink(attributes)
  const clean: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const lower = name.toLowerCase()
    if (lower.startsWith('on') || dropped.has(lower) || !isAttributeName(name)) continue
    if (!addresses.has(lower)) clean[name] = value
    else if (value === null) clean[name] = null
    else if (isDrawable(tag, value)) clean[name] = value
    // A link keeps being one, so that the page's styles for links apply; it leads nowhere.
    else if (lower === 'href' && (tag === 'a' || tag === 'area')) clean[name] = '#'
  }
  return clean
}

/** The only `<meta>` that is part of the picture says whether the page is light or dark. */
function cleanMeta(attributes: Attributes): Record<string, unknown> {
  const { name, content } = attributes
  return name === 'color-scheme' && typeof content === 'string' ? { name, content } : {}
}

function cleanLink(attributes: Attributes): Record<string, unknown> {
  const kept = Object.entries(attributes).filter(([name]) => linkAttributes.has(name))
  const isSheet = typeof attributes['_cssText'] === 'string'
  return { ...(isSheet ? { rel: 'stylesheet' } : {}), ...Object.fromEntries(kept) }
}

const linkAttributes: ReadonlySet<string> = new Set([
  '_cssText',
  'media',
  'disabled',
  'rr_sheet_off',
])

function isDrawable(tag: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (tag === 'iframe' || tag === 'frame' || tag === 'object' || tag === 'embed') return false
  return value.startsWith('#') || /^data:image\//i.test(value)
}
