import { fallbackOf } from './fallback-fonts.ts'
import type { MediaState } from './media-state.ts'

/** Attributes that represent `:hover` and `:focus` in a page without a pointer. */
export const standIns = {
  hover: 'afterimage-hover',
  active: 'afterimage-active',
  focus: 'afterimage-focus',
  'focus-within': 'afterimage-focus-within',
  'focus-visible': 'afterimage-focus-visible',
} as const

/*
 * The parts of CSS that are looked at, in one pass. Comments and strings come first, so that nothing in them is
 * taken for CSS. A rule stays one rule, since later changes count rules. Each part also ends where the text
 * ends: a part that could fail after a long way would be begun again at every place.
 */
const text = String.raw`"(?:\\(?:[\s\S]|$)|[^"\\\n])*(?:"|\n|$)|'(?:\\(?:[\s\S]|$)|[^'\\\n])*(?:'|\n|$)`
const tokens = new RegExp(
  [
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`@import\s*(?:url\(\s*(?:${text}|[^)"']*)|${text})?[^;]*(?:;|$)`,
    String.raw`@font-face\s*\{[^}]*(?:\}|$)`,
    String.raw`(?:-webkit-)?image-set\((?:[^();{}]|\([^();{}]*\))*\)?`,
    text,
    String.raw`url\(\s*(?:(?:${text})\s*(?:\)|$)|[^)]*(?:\)|$))`,
    String.raw`(?<![\\:]):(?:hover|active|focus-visible|focus-within|focus)(?![\w-])`,
    String.raw`\(\s*prefers-(?:color-scheme|reduced-motion)\s*(?::\s*[\w-]+\s*)?\)`,
    String.raw`(?<![\w-])color-scheme\s*:[^;}]*`,
    String.raw`\b(?:min|max)-device-(?:width|height)\b`,
  ].join('|'),
  'gi',
)

/**
 * Changes recorded CSS so that it looks the same for every viewer: media queries of the person's settings are
 * answered by what was recorded, `:hover` and `:focus` match attributes that the player sets, and addresses
 * outside of the recording are gone.
 */
export function adaptCss(css: string, media: MediaState): string {
  return css.replace(tokens, (token) => adaptToken(token, media))
}

function adaptToken(token: string, media: MediaState): string {
  const first = token[0]
  if (first === '/' || first === '"' || first === "'") return token
  const lower = token.toLowerCase()
  if (lower.startsWith('@import')) return '@layer afterimage-absent;'
  if (lower.startsWith('@font-face')) return adaptFontFace(token)
  if (lower.startsWith('url(')) return isInside(token) ? token : 'url("data:,")'
  if (lower.includes('image-set(')) return /data:/i.test(token) ? token : 'none'
  if (first === ':') return `[${standIns[lower.slice(1) as keyof typeof standIns]}]`
  if (first === '(') return answerQuery(lower, media)
  if (lower.startsWith('color-scheme')) return adaptColorScheme(token, media)
  return lower.replace('device-', '')
}

/** An address that is the recording's own: an image as text, or a part of the same document. */
function isInside(url: string): boolean {
  const address = url.slice(4, -1).trim().replace(/^["']/, '')
  return address.startsWith('#') || /^data:(?:image|font|application\/(?:x-)?font)/i.test(address)
}

/** A font that was not recorded stays a rule, and holds nothing that a browser could ask for. */
function adaptFontFace(rule: string): string {
  if (!missingAddress.test(rule)) return rule
  const family = /font-family\s*:\s*([^;}]+)/i.exec(rule)?.[1] ?? ''
  const weight = Number(/font-weight\s*:\s*(\d+)\s*[;}]/i.exec(rule)?.[1] ?? 400)
  const fallback = fallbackOf(family, weight >= 600)
  if (fallback === null) return rule.replace(missingAddresses, 'local("")')
  return `${rule.replace(replacedDescriptors, '$1').replace(/[;\s]*\}?$/, '')};${fallback}}`
}

const address = String.raw`url\((?!\s*["']?\s*data:)[^)]*(?:\)|$)(?:\s*(?:format|tech)\([^)]*(?:\)|$))*`
const missingAddress = new RegExp(address, 'i')
const missingAddresses = new RegExp(address, 'gi')
const replacedDescriptors =
  /([{;])\s*(?:src|size-adjust|ascent-override|descent-override|line-gap-override)\s*:(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^;}"'])*;?/gi

function answerQuery(query: string, media: MediaState): string {
  const value = /:\s*([\w-]+)/.exec(query)?.[1]
  const state = query.includes('color-scheme')
    ? media.colorScheme
    : media.isMotionReduced
      ? 'reduce'
      : 'no-preference'
  const isTrue = value === undefined ? state !== 'no-preference' : value === state
  return isTrue ? '(min-width:0px)' : '(max-width:-1px)'
}

/** `light dark` lets the viewer's system choose; the recorded one has chosen. */
function adaptColorScheme(declaration: string, media: MediaState): string {
  const separator = declaration.indexOf(':')
  const value = chosenScheme(declaration.slice(separator + 1), media)
  return `color-scheme:${value}`
}

/** The value of `color-scheme`, or of its `<meta>`, with the choice made. */
export function chosenScheme(value: string, media: MediaState): string {
  const isOpen = /\blight\b/i.test(value) && /\bdark\b/i.test(value)
  return isOpen ? value.replace(/\b(?:light|dark|only)\b/gi, '').trim() + media.colorScheme : value
}
