/** A phrase that `STYLE.md` refuses, and the words beside it. */
export interface Objection {
  readonly phrase: string
  readonly rule: string
}

const comparatives =
  'longer|more|less|fewer|better|worse|greater|larger|smaller|shorter|higher|lower'

const rules: readonly (readonly [phrase: RegExp, rule: string])[] = [
  [/(?<!\bthere (?:will )?)\b(?:is|are|was|were|be) none\b/gi, '"is not a valid X"'],
  [
    new RegExp(
      `(?<!\\bthere )\\b(?:is|are|was|were) no (?!(?:${comparatives}|one|sooner|later)\\b)\\w+`,
      'gi',
    ),
    '"is not a X"',
  ],
  [/\((?:rows? )?S\d{1,2}\b[^)]*\)/g, 'a link: docs/specification.md#s20'],
  [/\bprotocol \d\.\d\b/gi, 'a link to a document of the repository'],
]

const beginning =
  /(?:\/\*\*?\s*(?:\*\s*)?|(?<!\/\/[^\n]*\n)^[ \t]*\/\/ )((?:What|Who|Whoever|Whatever|Of|Whether|How)\b)(?=([^\n]{0,40}))/gm

/** Finds the comments of a source file whose first word hides the subject. */
export function objectionsToComments(source: string): Objection[] {
  return [...source.matchAll(beginning)].map(([, word = '', more = '']) => ({
    phrase: word + more,
    rule: 'a subject, or a verb',
  }))
}

/** Finds the phrases of a text that its readers would stumble over. Markdown links are right. */
export function objectionsTo(text: string): Objection[] {
  const joined = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|>)?\s*/g, ' ')
  return rules.flatMap(([phrase, rule]) =>
    [...joined.matchAll(phrase)].map((found) => ({
      phrase: joined.slice(Math.max(0, found.index - 30), found.index + found[0].length),
      rule,
    })),
  )
}
