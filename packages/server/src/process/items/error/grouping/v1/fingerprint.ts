import type { NormalizedEvent } from '@afterimage/protocol/event'
import { crashFrame } from '../../describe.ts'
import { parameterize } from '../parameterize.ts'

const variable = /\{\{\s{0,8}([\w.-]{1,200})\s{0,8}\}\}/g

export function isDefault(part: string): boolean {
  return /^\{\{\s{0,8}default\s{0,8}\}\}$/.test(part)
}

/** A part of a fingerprint with its variables filled in; one that has no value becomes `<no-name>`. */
export function resolvePart(part: string, event: NormalizedEvent): string {
  if (part === event.logentry?.formatted) return parameterize(part)
  if (!part.includes('{{')) return part
  return part.replace(variable, (_, name: string) => valueOf(name, event) ?? `<no-${name}>`)
}

function valueOf(name: string, event: NormalizedEvent): string | undefined {
  const thrown = event.exception?.at(-1)
  const frame = crashFrame(event)
  switch (name) {
    case 'transaction':
      return event.transaction
    case 'message':
      return event.logentry?.formatted ?? thrown?.value
    case 'type':
    case 'error.type':
      return thrown?.type
    case 'value':
    case 'error.value':
      return thrown?.value
    case 'function':
    case 'stack.function':
      return frame?.function
    case 'path':
    case 'stack.abs_path':
      return frame?.abs_path ?? frame?.filename
    case 'stack.filename':
      return frame?.filename
    case 'module':
    case 'stack.module':
      return frame?.module
    case 'package':
    case 'stack.package':
      return frame?.package
    case 'level':
    case 'logger':
    case 'release':
      return event[name]
    default:
      return name.startsWith('tags.') ? tagOf(event, name.slice(5)) : undefined
  }
}

function tagOf(event: NormalizedEvent, key: string): string | undefined {
  return Object.hasOwn(event.tags, key) ? event.tags[key] : undefined
}
