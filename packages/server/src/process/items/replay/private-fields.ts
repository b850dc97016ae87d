import type { Scrubber } from '../../steps/scrub/values.ts'

/** Fields of a page whose value is never kept: passwords, codes, cards, and what their names call a secret. */

/** More fields than any form has, and more replays than are recorded at one time. */
const fieldsMax = 1_000
const replaysMax = 10_000

const fieldTags = new Set(['input', 'textarea', 'select'])
const namingAttributes = ['name', 'id', 'autocomplete', 'placeholder', 'aria-label'] as const
/** Their value is a word on the page, not what somebody typed. */
const spokenTypes = new Set([
  'button',
  'submit',
  'reset',
  'image',
  'checkbox',
  'radio',
  'range',
  'color',
])
const privateCompletion = /(?:^| )(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?: |$)/

/** Tells whether an element is a field whose value must be masked. */
export function isPrivateField(
  tagName: unknown,
  attributes: Readonly<Record<string, unknown>>,
  scrubber: Scrubber,
): boolean {
  if (typeof tagName !== 'string' || !fieldTags.has(tagName.toLowerCase())) return false
  const type = typeof attributes['type'] === 'string' ? attributes['type'].toLowerCase() : 'text'
  if (type === 'password' || attributes['data-rr-is-password'] !== undefined) return true
  if (spokenTypes.has(type)) return false
  const completion = attributes['autocomplete']
  if (typeof completion === 'string' && privateCompletion.test(completion)) return true
  return namingAttributes.some((attribute) => {
    const name = attributes[attribute]
    return typeof name === 'string' && scrubber.isSensitive(name)
  })
}

/** Facts about the fields of a page, from the segments of one replay so far. */
export interface KnownFields {
  /** A picture of the whole page was seen, so a field that is not listed is not private. */
  hasSnapshot: boolean
  readonly privateIds: Set<number>
}

export function noFields(): KnownFields {
  return { hasSnapshot: false, privateIds: new Set() }
}

/**
 * Remembers the fields of replays from one segment to the next, since only the first has the picture of
 * the page. NOTE: a segment whose replay is not remembered has all its input masked: nothing is kept
 * that cannot be known to be harmless.
 */
export class ReplayFields {
  readonly #replays = new Map<string, KnownFields>()

  of(replay: string): KnownFields {
    const known = this.#replays.get(replay) ?? noFields()
    this.#replays.delete(replay)
    this.#replays.set(replay, known)
    const oldest = this.#replays.keys().next()
    if (this.#replays.size > replaysMax && !oldest.done) this.#replays.delete(oldest.value)
    return known
  }
}

export function rememberField(fields: KnownFields, id: number, isPrivate: boolean): void {
  if (!isPrivate) fields.privateIds.delete(id)
  else if (fields.privateIds.size < fieldsMax) fields.privateIds.add(id)
  // A page with more of them than any form has: whatever is typed is masked from here on.
  else fields.hasSnapshot = false
}

/** Tells whether what is typed into a field must be masked. */
export function mustMask(fields: KnownFields, id: unknown): boolean {
  return !fields.hasSnapshot || (typeof id === 'number' && fields.privateIds.has(id))
}
