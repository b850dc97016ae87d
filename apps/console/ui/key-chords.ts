/**
 * The keyboard as a pure machine: which name a key press has, and whether it completes a chord such
 * as `g i`. Names: a letter or sign as typed (`j`, `?`, `[`), `Enter`, `ArrowDown`, with `mod+` for
 * ⌘ or Ctrl and `shift+` for named keys only (a shifted sign already is another sign).
 */
export interface KeyPress {
  readonly key: string
  readonly hasMod: boolean
  readonly hasShift: boolean
  readonly hasAlt: boolean
}

/** A chord's first key waits this long for its second. */
export const CHORD_MS = 1200

/** The name of a key press; null for ones we never take (Alt belongs to the system). */
export function keyName(press: KeyPress): string | null {
  if (press.hasAlt || press.key === '') return null
  const isSign = press.key.length === 1
  const key = isSign && (press.hasMod || !press.hasShift) ? press.key.toLowerCase() : press.key
  return `${press.hasMod ? 'mod+' : ''}${press.hasShift && (!isSign || press.hasMod) ? 'shift+' : ''}${key}`
}

/**
 * Interprets a key after the one before it. `known` are the names that have an action, chords
 * written with a space. A chord wins over its second key alone; a prefix waits.
 */
export function nextChord(
  name: string,
  before: { readonly name: string; readonly at: number } | null,
  at: number,
  known: (name: string) => boolean,
): { readonly action: string | null; readonly waiting: boolean } {
  if (before !== null && at - before.at <= CHORD_MS) {
    const chord = `${before.name} ${name}`
    if (known(chord)) return { action: chord, waiting: false }
  }
  if (known(`${name} `)) return { action: null, waiting: true }
  return { action: known(name) ? name : null, waiting: false }
}

/** The keys that `?` lists, by the place where they act. */
export const KEY_HELP: readonly {
  readonly place: string
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[]
}[] = [
  {
    place: 'Everywhere',
    keys: [
      { keys: ['⌘', 'K'], does: 'Jump to, or act on the current thing' },
      { keys: ['/'], does: 'Search' },
      { keys: ['g', 'i'], does: 'Issues' },
      { keys: ['g', 'r'], does: 'Replays' },
      { keys: ['g', 't'], does: 'Traces' },
      { keys: ['g', 's'], does: 'Settings' },
      { keys: ['u'], does: 'Undo the last change' },
      { keys: ['?'], does: 'This list' },
    ],
  },
  {
    place: 'In a list',
    keys: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open' },
      { keys: ['x'], does: 'Select' },
      { keys: ['.'], does: 'Show what is new' },
    ],
  },
  {
    place: 'On an issue',
    keys: [
      { keys: ['e'], does: 'Resolve, or open again' },
      { keys: ['i'], does: 'Archive' },
      { keys: ['a'], does: 'Assign' },
      { keys: ['['], does: 'Previous event' },
      { keys: [']'], does: 'Next event' },
    ],
  },
  {
    place: 'In the player',
    keys: [
      { keys: ['Space'], does: 'Play or pause' },
      { keys: ['←', '→'], does: '10 seconds' },
      { keys: ['⇧', '←', '→'], does: 'Previous and next marker' },
      { keys: ['↑', '↓'], does: 'Speed' },
      { keys: ['f'], does: 'Full screen' },
    ],
  },
]
