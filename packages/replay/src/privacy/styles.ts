import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { ruleOf } from './attribute-rules.ts'
import { remember } from './remember.ts'

/** Shows words of a style sheet, where they may be shown. */
export type ShowWords = (text: string) => string

/** Query parameters whose values stay in addresses; null where no address stays. */
type KeepQuery = readonly string[] | undefined | null

/**
 * Finds what may hold words, and what looks like it: a comment; an address; a declaration of font
 * or area names; an attribute selector; a declaration with bare words; a string, which may contain
 * any of the others. An address without quotes may contain a semicolon. A selector's colon is
 * followed by a block. Written as a literal, which is smaller than code that assembles it.
 */
const parts =
  /\/\*.*?(?:\*\/|$)|(url\(\s*(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^)"']*)\)?)|((?:font|grid|syntax)[\w-]*\s*:(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^;{}"'])*(?=[;}]|$))|(\[\s*([\w-]+)\s*[~|^$*]?=\s*)("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^\]\s]+)|((?:--[\w-]+|initial-value|symbols|prefix|suffix|negative|pad)\s*:)(\s*{[^}]*}?|(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|url\([^)"']*(?=[)"']|$)|(?!url\()[^;{}"'])*(?=[;}]|$))|("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$))/gis
/** The parts of such a declaration: an address, a string, a word. */
const words =
  /(url\(\s*(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^)"']*)\)?)|("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$))|!?[^\s(){}:;,/*+!"']+\(?/gis

/**
 * Masks the words that a style sheet, or declarations, show or hold as data. Addresses are cleaned
 * as everywhere; inlined data is dropped.
 */
export function cleanStyle(style: string, keepQuery: KeepQuery, show?: ShowWords): string {
  const hide = show ?? hideWords
  const clean = (url: string): string =>
    url.replace(
      /(\(\s*["']?)(.*?)(["']?\s*\)?)$/s,
      (_, start, inner, end) =>
        start + (keepQuery === null ? '' : cleanAddress(inner, keepQuery)) + end,
    )
  return style.replace(
    parts,
    (all, url, kept, selector, attribute, selected, property, bare, quoted) =>
      url
        ? clean(url)
        : selector
          ? show || attribute === 'type' || ruleOf(attribute) === 'keep'
            ? all
            : selector + unlike(selected)
          : property
            ? property +
              bare.replace(words, (word: string, url?: string, quoted?: string) =>
                url
                  ? clean(url)
                  : quoted
                    ? hide(quoted)
                    : show || isOfStyles(word)
                      ? word
                      : unlike(word),
              )
            : quoted
              ? hide(quoted)
              : (kept ?? ''),
  )
}

/** Cleans the value of one declaration. */
export function cleanDeclaration(
  property: string,
  given: string,
  clean: (style: string) => string,
): string {
  return clean(`${property}:${given}`).slice(property.length + 1)
}

/** Masks letters and digits, but not the escapes and private characters of icons. */
function hideWords(text: string): string {
  return text.replace(
    /(\\(?:[ef]|f.)[\da-f]{3}\b)|\\[\da-f]+ ?|[\p{L}\p{N}]/giu,
    (_, icon) => icon ?? '*',
  )
}

/**
 * Returns a name of the same length that matches nothing, so that the rest of the selector still
 * counts.
 */
function unlike(text: string): string {
  return text.replace(/[^\s"']/g, 'x')
}

/** References, functions, numbers, colours and font families of CSS itself. */
const plain =
  /^((--|!).*|[a-z-]+\(|.{1,2}|#[\da-f]{3,8}|-?(?=[.\d])\d{0,7}(\.\d+)?(e-?\d+)?[a-z%]{0,5}|.*serif|system-ui)$/i

/**
 * Tells whether a bare word belongs to CSS: a property, or a keyword of one that takes no names.
 */
const isOfStyles = remember(
  (word) =>
    plain.test(word) ||
    CSS.supports(`(background:${word})or(border:${word})or(display:${word})or(${word}:inherit)`),
)
