import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { ruleOf } from './attribute-rules.ts'
import { remember } from './remember.ts'

/** How the words of a style sheet are shown, where they are. */
export type ShowWords = (text: string) => string

/** Which addresses stay, as options name parameters; null where none does. */
type KeepQuery = readonly string[] | undefined | null

/**
 * What may hold words, and what looks like it. One by one: a comment; an address; a declaration whose
 * names of fonts and areas stay; a selector of an attribute; a declaration with words outside of
 * strings; a string, which may hold what ends all else, and stands in most of the others. A colon of a
 * selector is followed by a block. As literals: what puts them together weighs more than they do.
 */
const parts =
  /\/\*.*?(?:\*\/|$)|([uU][rR][lL]\(\s*(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^)"']*)\)?)|((?:font|grid|syntax)[\w-]*\s*:(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^;{}"'])*(?=[;}]|$))|(\[\s*([\w-]+)\s*[~|^$*]?=\s*)("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^\]\s]+)|((?:--[\w-]+|initial-value|symbols|prefix|suffix|negative|pad)\s*:)(\s*{[^}]*}?|(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^;{}"'])*(?=[;}]|$))|("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$))/gs
/** Of such a declaration: an address, a string, a word. */
const words =
  /([uU][rR][lL]\(\s*(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[^)"']*)\)?)|("(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$))|!?[^\s(){}:;,/*+!"']+\(?/gs

/**
 * A style sheet, or declarations, without the words that they write on the page or hold as data.
 * Addresses are as all others: of what is inlined nothing stays.
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

/** The value of one declaration. */
export function cleanDeclaration(
  property: string,
  given: string,
  keepQuery: KeepQuery,
  show?: ShowWords,
): string {
  return cleanStyle(`${property}:${given}`, keepQuery, show).slice(property.length + 1)
}

/** Letters and digits, but not the escapes and private characters that icons are made of. */
function hideWords(text: string): string {
  return text.replace(
    /(\\(?:[ef]|f.)[\da-f]{3}\b)|\\[\da-f]+ ?|[\p{L}\p{N}]/giu,
    (_, icon) => icon ?? '*',
  )
}

/** A name of the same length that nothing has: what stands beside it still counts. */
function unlike(text: string): string {
  return text.replace(/[^\s"']/g, 'x')
}

/** References, functions, numbers, colours and kinds of fonts. */
const plain =
  /^((--|!).*|[a-z-]+\(|.{1,2}|#[\da-f]{3,8}|-?(?=[.\d])\d{0,7}(\.\d+)?(e-?\d+)?[a-z%]{0,5}|.*serif|system-ui)$/i

/** Whether a bare word is one of the language: a property, or a keyword of one that takes no names. */
const isOfStyles = remember(
  (word) =>
    plain.test(word) ||
    CSS.supports(`(background:${word})or(border:${word})or(display:${word})or(${word}:inherit)`),
)
