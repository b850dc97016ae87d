/** A line of source as pieces to be set: keywords, strings, comments, the rest. */
export interface CodePiece {
  readonly text: string
  readonly kind: 'plain' | 'keyword' | 'string' | 'comment'
  /** Column of its first character, 1-based. */
  readonly column: number
}

const KEYWORDS = new Set(
  (
    'abstract as async await break case catch class const continue debugger def default del delete do elif else ' +
    'enum except export extends finally fn for from func function go if implements import in instanceof interface ' +
    'is lambda let match mut new not of or and pass private protected public pub raise return self static struct ' +
    'super switch this throw try type typeof use var void while with yield null undefined true false None True False nil'
  ).split(' '),
)

/** Longer lines are minified code: they are shown, not set. */
const LINE_LENGTH_MAX = 500

const PIECE =
  /(\/\/.*$|#(?![\w{]*[{(]).*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|([A-Za-z_$][\w$]*)|(\s+|.)/g

/** Reads one line of any C-like or Python-like language; a rough reading that never loses a character. */
export function codePieces(line: string): CodePiece[] {
  if (line.length > LINE_LENGTH_MAX) return [{ text: line, kind: 'plain', column: 1 }]
  const pieces: CodePiece[] = []
  for (const match of line.matchAll(PIECE)) {
    const [text, comment, string, word] = match
    const kind =
      comment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : word !== undefined && KEYWORDS.has(word)
            ? 'keyword'
            : 'plain'
    const last = pieces.at(-1)
    if (kind === 'plain' && last?.kind === 'plain') {
      pieces[pieces.length - 1] = { ...last, text: last.text + text }
    } else pieces.push({ text, kind, column: match.index + 1 })
  }
  return pieces
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
