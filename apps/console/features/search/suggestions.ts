/** A suggestion of the search bar. */

export interface Suggestion {
  /** Replacement of the word under the cursor. */
  readonly insert: string
  /** True when a value must follow: the list then offers values. */
  readonly isOpen: boolean
  readonly note: string
}

const KEYS: readonly (readonly [key: string, note: string])[] = [
  ['is', 'status: unresolved, resolved, archived, regressed…'],
  ['level', 'fatal, error, warning, info, debug'],
  ['release', 'version it was seen in, or latest'],
  ['environment', 'production, staging…'],
  ['assigned', 'me, none, or an e-mail'],
  ['error.type', 'TypeError…'],
  ['error.value', 'part of what was thrown'],
  ['error.mechanism', 'onerror, onunhandledrejection…'],
  ['message', 'part of the message'],
  ['stack.filename', 'file of the frame: *cart.ts'],
  ['error.unhandled', 'true or false'],
  ['transaction', 'page or route'],
  ['url', 'address of the page'],
  ['user.email', 'who met it'],
  ['user.id', 'who met it'],
  ['user.username', 'who met it'],
  ['browser', 'name and version'],
  ['browser.name', 'Safari, Chrome…'],
  ['os', 'name and version'],
  ['os.name', 'iOS, Windows…'],
  ['device', 'family or model'],
  ['platform', 'javascript, node…'],
  ['project', 'slug of a project'],
  ['issue.priority', 'high, medium, low'],
  ['event.timestamp', 'time, or age: -24h'],
  ['timesSeen', 'events: >100'],
  ['firstSeen', 'age: -24h'],
  ['lastSeen', 'age: -1h'],
  ['has', 'a tag that is there'],
]

const VALUES: Readonly<Record<string, readonly string[]>> = {
  is: [
    'unresolved',
    'resolved',
    'archived',
    'new',
    'ongoing',
    'regressed',
    'escalating',
    'for_review',
    'assigned',
    'unassigned',
  ],
  level: ['fatal', 'error', 'warning', 'info', 'debug'],
  assigned: ['me', 'none'],
  'issue.priority': ['high', 'medium', 'low'],
  'event.timestamp': ['-1h', '-24h', '-7d'],
  'error.unhandled': ['true', 'false'],
  'error.handled': ['true', 'false'],
  firstSeen: ['-1h', '-24h', '-7d', '-14d'],
  lastSeen: ['-1h', '-24h', '-7d'],
  timesSeen: ['>10', '>100', '>1000'],
}

/** At most so many at once: the list is read, not scrolled. */
const SHOWN_MAX = 8

/**
 * Suggestions for the word under the cursor. `values` are the ones the server knows for the key, most
 * frequent first; they follow the fixed ones.
 */
export function suggest(word: string, values: readonly string[]): Suggestion[] {
  const isNegated = word.startsWith('!')
  const bare = isNegated ? word.slice(1) : word
  const colon = bare.indexOf(':')
  const sign = isNegated ? '!' : ''
  if (colon < 0) {
    return KEYS.filter(([key]) => key.toLowerCase().startsWith(bare.toLowerCase()))
      .slice(0, SHOWN_MAX)
      .map(([key, note]) => ({ insert: `${sign}${key}:`, isOpen: true, note }))
  }
  const key = bare.slice(0, colon)
  const typed = bare
    .slice(colon + 1)
    .replaceAll('"', '')
    .toLowerCase()
  const all = [...new Set([...(VALUES[key] ?? []), ...values])]
  return all
    .filter((value) => value.toLowerCase().includes(typed))
    .slice(0, SHOWN_MAX)
    .map((value) => ({
      insert: `${sign}${key}:${/[\s"\\]/.test(value) ? JSON.stringify(value) : value}`,
      isOpen: false,
      note: '',
    }))
}

/** Tells whether the text is one word that may become a key: the first key is then highlighted. */
export function isKeyBegun(text: string): boolean {
  return /^!?[a-z][\w.]+$/i.test(text)
}

/**
 * Suggests what may follow the text. A word that could begin a key can also be meant as it stands:
 * that is the last suggestion.
 */
export function suggestionsFor(text: string, values: readonly string[]): Suggestion[] {
  const offered = suggest(text.split(/\s+/).at(-1) ?? '', values)
  if (!isKeyBegun(text) || offered.length === 0) return offered
  return [...offered, { insert: text, isOpen: false, note: 'as words in the title' }]
}

/** The key whose values the server should be asked for; null while the key itself is typed. */
export function keyToAskFor(word: string): string | null {
  const match = /^!?([\w.-]+):/.exec(word)
  const key = match?.[1]
  if (key === undefined || key === 'is' || key === 'timesSeen' || key.endsWith('Seen')) return null
  return key
}
