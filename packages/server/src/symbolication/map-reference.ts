/** Where a script says that its map is: the last comment of this form counts. */
const comment = /\/[/*][#@]\s*sourceMappingURL=([^\s*'"]+)/g
/** A comment that names an address lies near the end; an inline map is most of the script. */
const inlineMark = 'sourceMappingURL=data:'
const tailChars = 16 * 1024

/** Returns the address of a script's map, which may be a `data:` address; null when it names none. */
export function mapReference(script: string): string | null {
  const inline = script.lastIndexOf(inlineMark)
  const from = inline < 0 ? Math.max(0, script.length - tailChars) : Math.max(0, inline - 4)
  return [...script.slice(from).matchAll(comment)].at(-1)?.[1] ?? null
}

/** Returns the map inside of a `data:` address; null for any other. */
export function inlineMap(reference: string): Uint8Array | null {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(reference) ?? []
  if (data === undefined) return null
  if (isBase64 !== undefined) return Buffer.from(data, 'base64')
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    return Buffer.from(data)
  }
}
