/** Scrubs JSON of unknown shape: values under names that promise a secret, and secrets inside of text. */
import type { EventBag } from '@afterimage/protocol/event'
import type { ScrubbingSettings } from '../../items/item.ts'
import { filtered } from './filtered.ts'
import { rulesOf } from './text.ts'

/** All rules of one project: about names, and about text. */
export type Scrubber = ReturnType<typeof rulesOf>

const scrubbers = new WeakMap<ScrubbingSettings, Scrubber>()
/** Most projects have no names of their own: they share one scrubber per combination of switches. */
const plainScrubbers = new Map<string, Scrubber>()

export function scrubberOf(settings: ScrubbingSettings): Scrubber {
  const known = scrubbers.get(settings)
  if (known) return known
  const { sensitiveFields, safeFields, defaults, storeIpAddresses, storeContacts } = settings
  const isPlain = sensitiveFields.length === 0 && safeFields.length === 0
  const plainKey = `${defaults} ${storeIpAddresses} ${storeContacts}`
  const scrubber = (isPlain ? plainScrubbers.get(plainKey) : null) ?? rulesOf(settings)
  if (isPlain) plainScrubbers.set(plainKey, scrubber)
  scrubbers.set(settings, scrubber)
  return scrubber
}

/** Scrubs JSON of unknown shape in place (objects and lists) and returns it; text is returned scrubbed. */
export function scrubValue<T>(value: T, settings: ScrubbingSettings): T {
  return scrubAny(value, scrubberOf(settings)) as T
}

/** A name, a message or an address as it may be stored. */
export function scrubText(text: string, settings: ScrubbingSettings): string {
  return scrubberOf(settings).text(text)
}

/** Tells whether what stands under this name is a secret. */
export function isSensitiveKey(key: string, settings: ScrubbingSettings): boolean {
  return scrubberOf(settings).isSensitive(key)
}

/** As `scrubValue`, by rules that were already found. */
export function scrubAny(value: unknown, scrubber: Scrubber): unknown {
  if (typeof value === 'string') return scrubber.paths(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) scrubList(value, scrubber)
  else scrubRecord(value as EventBag, scrubber)
  return value
}

function scrubList(list: unknown[], scrubber: Scrubber): void {
  const isPair =
    list.length === 2 && typeof list[0] === 'string' && /^[\w.[\]$-]{1,64}$/.test(list[0])
  for (let index = 0; index < list.length; index += 1) {
    list[index] =
      isPair && index === 1
        ? scrubMember(list[0] as string, list[1], scrubber)
        : scrubAny(list[index], scrubber)
  }
}

/** Scrubs an object in place, also where it is a pair of `key` or `name` and `value`. */
export function scrubRecord(record: EventBag, scrubber: Scrubber): void {
  for (const key in record) record[key] = scrubMember(key, record[key], scrubber)
  const name = record['key'] ?? record['name']
  const value = record['value']
  if (typeof name === 'string' && value !== undefined) {
    record['value'] = scrubMember(name, value, scrubber)
  }
}

/** A value as it may be stored under its name. */
export function scrubMember(name: string, value: unknown, scrubber: Scrubber): unknown {
  if (typeof value === 'boolean' || value === null || value === '') return value
  if (isSecret(name, value, scrubber)) return filtered
  if (typeof value === 'string' && scrubber.isNamedOnPurpose(name)) return scrubber.secrets(value)
  return scrubAny(value, scrubber)
}

function isSecret(name: string, value: unknown, scrubber: Scrubber): boolean {
  if (scrubber.isPhone(name)) return /^\+?\d(?:\D{0,3}\d){5,}$/.test(String(value))
  if (!scrubber.isSensitive(name)) return false
  if (typeof value === 'number') return !scrubber.isMeasure(name)
  // The shell's working directory, which its environment calls so.
  const isFolder = /^(?:OLD)?PWD$/.test(name) && typeof value === 'string'
  return !(isFolder && /^(?:[/~]|[A-Z]:\\)/.test(value))
}
