import { refuse } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON of an item. `NaN`, `Infinity` and `-Infinity`, which old Python SDKs write, are
 * read as null.
 */
export function readJson(payload: Uint8Array): { readonly value: unknown } | Refusal {
  let text: string
  try {
    text = decoder.decode(payload)
  } catch {
    return refuse('invalid_encoding', 'The payload is not UTF-8 text.')
  }
  const value = parse(text) ?? parse(withoutNonNumbers(text))
  return value ?? refuse('invalid_json', `The payload is not JSON: ${text.slice(0, 80)}`)
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

const literals = ['-Infinity', 'Infinity', 'NaN'] as const

/** Replaces the literals outside of strings, in one pass. */
function withoutNonNumbers(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  let out = ''
  let kept = 0
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    const literal =
      character === 'N' || character === 'I' || character === '-'
        ? literals.find((name) => text.startsWith(name, at))
        : undefined
    if (literal === undefined) {
      at += 1
      continue
    }
    out += `${text.slice(kept, at)}null`
    at += literal.length
    kept = at
  }
  return out + text.slice(kept)
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') at += 1
    else if (character === '"') return at + 1
  }
  return text.length
}
