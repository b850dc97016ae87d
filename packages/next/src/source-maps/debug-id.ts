import { createHash } from 'node:crypto'

/** A UUID made of a file's content: the same file has the same id in every build. */
export function debugIdOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

export interface Injected {
  readonly code: string
  readonly map: string
}

export interface InjectOptions {
  readonly code: string
  /** JSON of its source map, plain or in sections. */
  readonly map: string
  readonly debugId: string
  /** Leaves the comment that names the map. */
  readonly keepsMapComment?: boolean
  /** Makes the id known where Sentry's clients look too; ours looks in both places. */
  readonly isForAnyClient?: boolean
}

const mapComment = /\n?\/\/[#@] sourceMappingURL=[^\n]*\s*$/
const debugComment = /^\/\/# debugId=([\da-f-]{36})$/m

/** The debug id that a file bears already; null when it bears none. */
export function debugIdIn(code: string): string | null {
  return debugComment.exec(code.slice(-2000))?.[1] ?? null
}

/**
 * Writes a debug id into a file and its map. The file begins with a line of its own that makes the id
 * known while the page runs: at its beginning, so that errors of its first run have it too. The map
 * is moved by that line. Null when the map is not valid.
 */
export function injectDebugId({
  code,
  map,
  debugId,
  keepsMapComment,
  isForAnyClient,
}: InjectOptions): Injected | null {
  const moved = movedByOneLine(map)
  if (moved === null) return null
  // A directive or a hashbang counts only as the first thing of a file.
  const [hashbang = ''] = /^#![^\n]*\n/.exec(code) ?? []
  const body = code.slice(hashbang.length)
  const [directive = ''] = /^\s*(['"])use (?:strict|client|server)\1;?/.exec(body) ?? []
  const comment = keepsMapComment === true ? (mapComment.exec(body)?.[0] ?? '') : ''
  return {
    code: `${hashbang}${directive.trim()}${directive === '' ? '' : ';'}${snippet(debugId, isForAnyClient === true ? '_sentryDebugIds' : '_afterimageDebugIds')}\n${body.replace(mapComment, '')}\n//# debugId=${debugId}${comment === '' ? '\n' : `\n${comment.trim()}\n`}`,
    map: JSON.stringify({ ...moved, debugId, debug_id: debugId }),
  }
}

function snippet(debugId: string, place: '_sentryDebugIds' | '_afterimageDebugIds'): string {
  return `!function(){try{var g=globalThis,s=(new Error).stack;s&&((g.${place}=g.${place}||{})[s]="${debugId}")}catch(e){}}();`
}

function movedByOneLine(text: string): object | null {
  let map: unknown
  try {
    map = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof map !== 'object' || map === null) return null
  const { mappings, sections } = map as { readonly mappings?: unknown; readonly sections?: unknown }
  if (typeof mappings === 'string') return { ...map, mappings: `;${mappings}` }
  if (!Array.isArray(sections)) return null
  return {
    ...map,
    sections: sections.map((section: { readonly offset: { readonly line: number } }) => ({
      ...section,
      offset: { ...section.offset, line: section.offset.line + 1 },
    })),
  }
}
