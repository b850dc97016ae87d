import c from '@speed-highlight/core/languages/c.js'
import go from '@speed-highlight/core/languages/go.js'
import java from '@speed-highlight/core/languages/java.js'
import perl from '@speed-highlight/core/languages/pl.js'
import python from '@speed-highlight/core/languages/py.js'
import rust from '@speed-highlight/core/languages/rs.js'
import typescript from '@speed-highlight/core/languages/ts.js'
import { tokenizeWith, type ShjLanguageData, type ShjToken } from '@speed-highlight/core/tokenize'

/** A piece of a line of source as it is set. */
export interface CodePiece {
  readonly text: string
  readonly kind: 'plain' | 'keyword' | 'string' | 'comment'
  /** Column of its first character, 1-based. */
  readonly column: number
}

/** Longer lines are minified code: they are shown, not set. */
const LINE_LENGTH_MAX = 500

/* The package declares absent fields as `undefined`, which our strictness tells apart. */
const declared = (grammar: unknown) => grammar as ShjLanguageData
const TYPESCRIPT = declared(typescript)
const PYTHON = declared(python)
const JAVA = declared(java)
const GO = declared(go)
const RUST = declared(rust)
const C = declared(c)
const PERL = declared(perl)

/** By the end of a file's name. A language that is not here is set as the nearest one that is. */
const BY_ENDING: readonly (readonly [ending: RegExp, language: ShjLanguageData])[] = [
  [/^(?:[cm]?[jt]sx?|vue|svelte|astro)$/, TYPESCRIPT],
  [/^pyw?$/, PYTHON],
  [/^(?:java|kts?|scala|cs|dart|swift|groovy|php)$/, JAVA],
  [/^go$/, GO],
  [/^rs$/, RUST],
  [/^(?:[chm]|cc|cpp|cxx|hh|hpp|mm)$/, C],
  [/^(?:rb|pl|pm|exs?)$/, PERL],
]

const BY_PLATFORM: Readonly<Record<string, ShjLanguageData>> = {
  javascript: TYPESCRIPT,
  node: TYPESCRIPT,
  python: PYTHON,
  java: JAVA,
  go: GO,
  rust: RUST,
  native: C,
  cocoa: C,
  csharp: JAVA,
  php: JAVA,
  ruby: PERL,
}

const KINDS: Partial<Record<ShjToken, CodePiece['kind']>> = {
  kwd: 'keyword',
  bool: 'keyword',
  str: 'string',
  cmnt: 'comment',
}

/** Finds the language of a frame's source; null when neither its file nor its platform tells. */
export function languageOf(file: string | null, platform: string | null): ShjLanguageData | null {
  const ending = /\.([a-z]{1,6})(?:[?#].*)?$/i.exec(file ?? '')?.[1]?.toLowerCase() ?? ''
  const known = BY_ENDING.find(([endings]) => endings.test(ending))
  return known?.[1] ?? BY_PLATFORM[platform ?? ''] ?? null
}

/**
 * Reads lines that follow one another, so that a comment or a string may run over several. Every
 * character of `lines` is in the answer, in order.
 */
export function codeLines(
  lines: readonly string[],
  language: ShjLanguageData | null,
): readonly (readonly CodePiece[])[] {
  if (language === null || lines.some((line) => line.length > LINE_LENGTH_MAX)) {
    return lines.map((line) => [{ text: line, kind: 'plain', column: 1 }])
  }
  const written: CodePiece[][] = [[]]
  tokenizeWith(
    // A line break inside of a line would shift every line below it.
    lines.map((line) => line.replaceAll('\n', ' ')).join('\n'),
    language,
    (text, token) => {
      const kind = (token === undefined ? undefined : KINDS[token]) ?? 'plain'
      text.split('\n').forEach((part, index) => {
        if (index > 0) written.push([])
        append(written.at(-1) ?? [], part, kind)
      })
    },
    { languages: { js: TYPESCRIPT, py: PYTHON } },
  )
  return written
}

function append(line: CodePiece[], text: string, kind: CodePiece['kind']): void {
  if (text === '') return
  const last = line.at(-1)
  if (last?.kind === kind) line[line.length - 1] = { ...last, text: last.text + text }
  else line.push({ text, kind, column: last === undefined ? 1 : last.column + last.text.length })
}

/**
 * The expression at a column, to be underlined: `[start, end)` from 0, the word there with the members
 * that follow it. Null when the column is not in the line, or points at nothing.
 */
export function failingRange(
  line: string,
  column: number | null,
): readonly [number, number] | null {
  if (column === null || column < 1 || column > line.length || line.length > LINE_LENGTH_MAX)
    return null
  const word = /[\w$]/
  let start = column - 1
  if (!word.test(line[start] ?? '')) return null
  while (start > 0 && word.test(line[start - 1] ?? '')) start--
  const rest = /^[\w$]+(?:\??\.[\w$]+)*/.exec(line.slice(start))?.[0] ?? ''
  return rest === '' ? null : [start, start + rest.length]
}
