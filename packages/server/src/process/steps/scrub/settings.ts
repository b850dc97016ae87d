import { parseJson } from '@afterimage/protocol/json'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { ScrubbingSettings } from '../../items/item.ts'
import { isRecord } from '../normalize/text.ts'

/** The defaults of a project: secrets and personal data are removed. */
export const defaultScrubbing: ScrubbingSettings = {
  defaults: true,
  sensitiveFields: [],
  safeFields: [],
  storeIpAddresses: false,
  storeContacts: false,
}

const fieldsMax = 200
const fieldCharactersMax = 200

/** Reads `scrubbing` out of a project's settings; what is missing or malformed is as by default. */
export function readScrubbing(settings: string | null): ScrubbingSettings {
  const json = parseJson(settings ?? '{}')
  const scrubbing = !isRefusal(json) && isRecord(json.value) ? json.value['scrubbing'] : null
  if (!isRecord(scrubbing)) return defaultScrubbing
  return {
    defaults: scrubbing['defaults'] !== false,
    sensitiveFields: readFields(scrubbing['sensitiveFields']),
    safeFields: readFields(scrubbing['safeFields']),
    storeIpAddresses: scrubbing['storeIpAddresses'] === true,
    storeContacts: scrubbing['storeContacts'] === true,
  }
}

function readFields(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((field) => typeof field === 'string')
    .map((field) => field.trim())
    .filter((field) => field !== '' && field.length <= fieldCharactersMax)
    .slice(0, fieldsMax)
}
