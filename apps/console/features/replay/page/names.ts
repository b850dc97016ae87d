/*
 * Names of a recorded page. They are untrusted: one that is not valid makes the browser throw, so
 * they are checked before anything is built.
 */

const qualified = /^[a-z_][a-z0-9_.-]*(?::[a-z_][a-z0-9_.-]*)?$/i

/** Longest name that is drawn, characters. */
const nameCharsMax = 128

/** The name of an element to build; `x-invalid` in place of one that is not valid. */
export function tagNameOf(recorded: unknown): string {
  return isName(recorded) && /^[a-z]/i.test(recorded) ? recorded : 'x-invalid'
}

/** The name of a document type; `html` in place of one that is not valid. */
export function doctypeNameOf(recorded: unknown): string {
  return isName(recorded) ? recorded : 'html'
}

/** False for names that no browser takes, and for those that only an HTML parser takes (`@click`). */
export function isAttributeName(recorded: string): boolean {
  return isName(recorded) || /^:[a-z][a-z0-9_.-]*$/i.test(recorded)
}

function isName(recorded: unknown): recorded is string {
  return typeof recorded === 'string' && recorded.length <= nameCharsMax && qualified.test(recorded)
}

const svg = 'http://www.w3.org/2000/svg'
const mathMl = 'http://www.w3.org/1998/Math/MathML'
const html = 'http://www.w3.org/1999/xhtml'
/** The elements of MathML whose children are HTML again. */
const mathMlTexts: ReadonlySet<string> = new Set([
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
  'annotation-xml',
])

/**
 * The namespace of an element. A recording says which elements are SVG, and does not say which are MathML:
 * those follow from where they are.
 */
export function namespaceOf(tagName: string, isSvg: boolean, parent: Node | null): string {
  if (isSvg) return svg
  if (tagName === 'math') return mathMl
  const around = parent?.nodeType === 1 ? (parent as Element) : null
  const isInside = around?.namespaceURI === mathMl && !mathMlTexts.has(around.localName)
  return isInside ? mathMl : html
}

/** The elements of SVG whose names have capitals, which a recording writes in lower case. */
const capitals =
  'altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath'
const svgNames = new Map(capitals.split(' ').map((name) => [name.toLowerCase(), name]))

/** The name of an SVG element as SVG writes it. */
export function svgNameOf(tagName: string): string {
  return svgNames.get(tagName.toLowerCase()) ?? tagName
}
