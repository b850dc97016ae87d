/** Returns a debug id in lower case with dashes; null when the text is not one. */
export function debugIdOf(text: string): string | null {
  const digits = /^[0-9a-f]{32}$/.exec(text.toLowerCase().replaceAll('-', ''))?.[0]
  if (digits === undefined) return null
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Reads the debug id that a script names in its last `//# debugId=` comment. */
export function debugIdOfScript(script: Buffer): string | null {
  return debugIdOf(lastComment(script, '//# debugId=') ?? '')
}

/** Reads where a script says its map is; null for one that has it inline, or none. */
export function mapReferenceOfScript(script: Buffer): string | null {
  const reference =
    lastComment(script, '//# sourceMappingURL=') ?? lastComment(script, '//@ sourceMappingURL=')
  return reference === null || reference.startsWith('data:') ? null : reference
}

/** A reference is not longer; an inline map is, and is not read. */
const COMMENT_BYTES_MAX = 2048

function lastComment(script: Buffer, prefix: string): string | null {
  for (let at = script.lastIndexOf(prefix); at !== -1; at = script.lastIndexOf(prefix, at - 1)) {
    const before = at === 0 ? '\n' : String.fromCharCode(script[at - 1] ?? 0)
    if (/\s/.test(before)) {
      const from = at + prefix.length
      return /^\S*/.exec(script.toString('utf8', from, from + COMMENT_BYTES_MAX))?.[0] ?? ''
    }
    if (at === 0) return null
  }
  return null
}

const idMembers = ['"debug_id"', '"debugId"']

/**
 * Reads the debug id of a map without parsing it, which would take longer than anything else here.
 * An id of a section is not that of the map.
 */
export function debugIdOfMap(map: Buffer): string | null {
  const sections = map.indexOf('"sections"')
  const sectionsEnd = sections === -1 ? -1 : map.lastIndexOf(']')
  for (const member of idMembers) {
    for (let at = map.indexOf(member); at !== -1; at = map.indexOf(member, at + 1)) {
      // Behind a backslash it is text of a source.
      const isMember = at > 0 && map[at - 1] !== 0x5c
      const isInSection = sections !== -1 && at > sections && at < sectionsEnd
      if (!isMember || isInSection) continue
      const from = at + member.length
      const value = /^\s*:\s*"([^"]*)"/.exec(map.toString('latin1', from, from + 64))?.[1]
      const id = debugIdOf(value ?? '')
      if (id !== null) return id
    }
  }
  return null
}
