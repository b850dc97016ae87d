import type { EventMessage } from '@afterimage/protocol/event'
import { boundedCopy } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { cut, isRecord, readAsText, stringifyBounded } from './text.ts'

/**
 * Returns the message of an event, from `logentry` before `message`, or null without either. The
 * readable text is built from template and parameters when the SDK did not send it.
 */
export function normalizeMessage(logentry: unknown, message: unknown): EventMessage | null {
  return readMessage(logentry) ?? readMessage(message)
}

function readMessage(raw: unknown): EventMessage | null {
  if (!isRecord(raw)) {
    const formatted = readAsText(raw, eventLimits.message)
    return formatted === null ? null : { formatted }
  }
  const template = readAsText(raw['message'], eventLimits.message)
  const sent = readAsText(raw['formatted'], eventLimits.message)
  const params = raw['params']
  const formatted = sent ?? (template === null ? null : format(template, params))
  if (formatted === null) return null
  const message: EventMessage = { formatted }
  if (template !== null && template !== formatted) message.message = template
  if (params !== undefined && params !== null) {
    message.params = boundedCopy(params, bagLimits.medium)
  }
  return message
}

/**
 * Fills in `%s`, `%d`, `%(name)s`, `{}`, `{0}` and `{name}`; placeholders without a parameter stay.
 */
function format(template: string, params: unknown): string {
  if (typeof params !== 'object' || params === null) return template
  let next = 0
  const text = template.replace(
    /%\(([^)]{1,64})\)[sdrif]|%[sdrifj]|\{(\w{0,64})\}/g,
    (placeholder, percentName?: string, braceName?: string) => {
      const name = percentName ?? (braceName === '' ? undefined : braceName)
      const value = lookUp(params, name ?? next)
      if (name === undefined) next += 1
      if (value === undefined) return placeholder
      return typeof value === 'object' ? stringifyBounded(value) : String(value)
    },
  )
  return cut(text, eventLimits.message)
}

function lookUp(params: object, key: string | number): unknown {
  return Object.hasOwn(params, key) ? (params as Record<string | number, unknown>)[key] : undefined
}
