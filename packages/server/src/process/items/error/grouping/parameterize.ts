/**
 * Replaces the parts of a message that differ from one occurrence to the next by the names of what
 * they are, so that messages of one cause become equal. One pass, linear in the length: every
 * pattern starts at the beginning of a word, is bounded, and never needs more than one way back.
 */

/** Longer text is not a message; it stays as it is. */
const charsMax = 8192

const patterns: readonly (readonly [name: string, source: string])[] = [
  ['email', String.raw`[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}`],
  ['url', String.raw`[a-zA-Z][a-zA-Z0-9+.-]{1,15}:\/\/[^\s"'<>()[\]{}]{1,2048}`],
  ['traceparent', String.raw`00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]\b`],
  [
    'uuid',
    String.raw`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`,
  ],
  ['sha1', String.raw`[0-9a-fA-F]{40}\b`],
  ['md5', String.raw`[0-9a-fA-F]{32}\b`],
  [
    'date',
    String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z\b| ?[+-]\d{2}:?\d{2}\b)?)?(?!\w)` +
      String.raw`|\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b` +
      String.raw`|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? (?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}[ -]\d{1,4}(?: \d{4})?(?: \d{2}:\d{2}:\d{2})?(?: (?:GMT|UTC)(?:[+-]\d{4})?| [+-]\d{4})?`,
  ],
  ['mac', String.raw`[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}\b`],
  [
    'ip',
    String.raw`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\b|(?:[0-9a-fA-F]{1,4}:){1,6}(?::[0-9a-fA-F]{1,4}){1,6}\b`,
  ],
  [
    'hostname',
    String.raw`[a-zA-Z0-9-]{1,63}(?:\.[a-zA-Z0-9-]{1,63}){0,5}\.(?:com|net|org|edu|gov|io|dev|app|cloud|local|localhost|internal|test|example|info|biz|co|uk|de|fr|nl|eu|ch|at|us|ca|au|jp|cn|in|br|ru)\b(?![.(])`,
  ],
  [
    'duration',
    String.raw`\d{1,15}(?:\.\d{1,15})?(?:ms|s|m|h|d|ns|us|µs|sec|secs|seconds?|min|mins|minutes?|hours?|days?)\b`,
  ],
  [
    'hex',
    String.raw`0[xX][0-9a-fA-F]{1,128}\b|(?=[a-f]{0,128}\d)[0-9a-f]{8,128}\b(?<=[a-f][0-9a-f]{0,127})|(?=[A-F]{0,128}\d)[0-9A-F]{8,128}\b(?<=[A-F][0-9A-F]{0,127})`,
  ],
  ['git_sha', String.raw`(?=[a-f]{0,7}\d)(?=\d{0,7}[a-f])[0-9a-f]{7}\b`],
  ['float', String.raw`\d{1,30}\.\d{1,30}(?:[eE][+-]?\d{1,4})?\b`],
  ['int', String.raw`\d{1,64}\b`],
]

/** Quoted text and truth values vary only where they are given to a name. */
const assigned = /(= ?)(?:"[^"]{0,1024}"|'[^']{0,1024}'|(true|false|True|False)\b)/g

const anyPattern = new RegExp(
  `(?<![\\w-])-?(?:${patterns.map(([name, source]) => `(?<${name}>${source})`).join('|')})`,
  'g',
)

/** Placeholders of scrubbed mail and IP addresses count as the addresses they replace. */
const scrubbed = /\[(email|ip)\]/g

export function parameterize(sent: string): string {
  if (sent.length > charsMax) return sent
  const message = sent.includes('[') ? sent.replace(scrubbed, '<$1>') : sent
  const text = message.includes('=')
    ? message.replace(assigned, (_, equals: string, truth?: string) =>
        truth === undefined ? `${equals}<quoted_str>` : `${equals}<bool>`,
      )
    : message
  if (!/[\d@.]|:\/\//.test(text)) return text
  return text.replace(anyPattern, (match, ...groups) => {
    const named = groups.at(-1) as Record<string, string | undefined>
    for (const [name] of patterns) if (named[name] !== undefined) return `<${name}>`
    return match
  })
}
