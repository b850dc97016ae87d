import type { ApiIssue } from '@afterimage/protocol/api/issue'

/**
 * Splits an issue's title in two: the kind of failure (set in bold) and its message. A message
 * event has only the second; a title that does not begin with its type stays whole.
 */
export function titleParts(issue: Pick<ApiIssue, 'title' | 'metadata'>): {
  readonly kind: string | null
  readonly text: string
} {
  const type = issue.metadata.type
  if (type === undefined || type === '' || !issue.title.startsWith(type)) {
    return { kind: null, text: issue.title }
  }
  const value = issue.metadata.value
  if (value !== undefined && value !== '') return { kind: type, text: value }
  return { kind: type, text: issue.title.slice(type.length).replace(/^:\s*/, '') }
}

/** Returns the name of an issue whose title names no type. */
export function kindOfIssue(type: string): string {
  if (type === 'csp') return 'Policy violation'
  return type === 'hpkp' || type.startsWith('expect') ? 'Security report' : 'Message'
}

/** Returns the function and its file, or the culprit that the server named. */
export function whereOf(issue: Pick<ApiIssue, 'culprit' | 'metadata'>): string {
  const { function: name, filename } = issue.metadata
  if (name !== undefined && name !== '' && filename !== undefined && filename !== '') {
    return `${name} in ${shortFile(filename)}`
  }
  return culpritWords(issue.culprit) || shortFile(filename ?? '')
}

/**
 * A culprit as a reader takes it in. Servers name one `function(file)`, with `?` for a part that is
 * not known: `?(app.ts)` is `app.ts`, `total(https://shop.example/cart.js)` is `total in cart.js`.
 */
export function culpritWords(culprit: string): string {
  const [, name, file] = /^([^\s(/]*)\((.*)\)$/.exec(culprit) ?? []
  if (name === undefined || file === undefined) return culprit
  const known = file === '?' ? '' : shortFile(file)
  if (name === '?' || name === '') return known
  return known === '' ? name : `${name} in ${known}`
}

/** The end of a path: host and bundler prefixes say nothing. */
export function shortFile(file: string): string {
  const path = file
    .replace(/^(?:webpack|webpack-internal|turbopack|file):\/{2,3}(?:[^/]*\/)?/, '')
    .replace(/^app:\/\/\/?/, '')
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/^_next\/(?:static|server)\/chunks\//, '')
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/[?#].*$/, '')
  return path === '' ? file : path
}
