/**
 * Settings of a project that its clients ask for once a session. Each can only make a client record
 * less than its own options say; a missing one changes nothing.
 */
export interface ClientSettings {
  /** False stops clients: they record, send and keep nothing. */
  readonly enabled?: boolean
  /** Ceilings of the rates of the same names, 0 to 1. */
  readonly sampleRate?: number
  readonly tracesSampleRate?: number
  readonly replaysSessionSampleRate?: number
  readonly replaysOnErrorSampleRate?: number
  /** Added to the options of these names. A text matches every text that contains it. */
  readonly ignoreErrors?: readonly string[]
  readonly denyUrls?: readonly string[]
  /** Selectors, added to those that the recorder masks and blocks. */
  readonly mask?: readonly string[]
  readonly block?: readonly string[]
}

export const clientRates = [
  'sampleRate',
  'tracesSampleRate',
  'replaysSessionSampleRate',
  'replaysOnErrorSampleRate',
] as const

export const clientLists = ['ignoreErrors', 'denyUrls', 'mask', 'block'] as const

export type ClientRate = (typeof clientRates)[number]
export type ClientList = (typeof clientLists)[number]

/** Texts of one list, and characters of one text: all lists together stay under 64 KiB of JSON. */
export const clientListMax = 50
export const clientTextCharactersMax = 200

/** Parameter with which an address for envelopes is asked, by GET, for the settings of its project. */
export const clientSettingsParameter = 'k'

/** Reads settings, and leaves out every member and text that is not valid. */
export function readClientSettings(value: unknown): ClientSettings {
  const given = Object(value) as Readonly<Record<string, unknown>>
  const settings: Record<string, unknown> = {}
  if (given['enabled'] === false) settings['enabled'] = false
  for (const name of clientRates) {
    if (isRate(given[name])) settings[name] = given[name]
  }
  for (const name of clientLists) {
    const list = given[name]
    const texts = Array.isArray(list) ? list.filter(isText).slice(0, clientListMax) : []
    if (texts[0]) settings[name] = texts
  }
  return settings
}

/** Says whether a value is a share, 0 to 1. */
export function isRate(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !!value && value.length <= clientTextCharactersMax
}
