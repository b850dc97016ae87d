import type { SourceKind } from './parse-script.ts'

/** A script inside a file: all of it, or a block of a Vue or Svelte component. */
export interface ScriptBlock {
  /** The script at its place in the file: everything before it is blank, so that positions agree. */
  readonly code: string
  readonly kind: SourceKind
  /** The rest of the file, which may use the names of the script. */
  readonly around: string
}

const element =
  /<!--[^]*?(?:-->|$)|(?<start><script\b(?<attributes>(?:"[^"]*"|'[^']*'|[^>"'])*)>)(?<code>[^]*?)<\/script\s*>/gi

/** Returns the scripts of a file by its name. */
export function scriptBlocks(path: string, text: string): ScriptBlock[] {
  if (!/\.(?:vue|svelte)$/.test(path)) {
    const kind = /\.[cm]?ts$/.test(path) ? 'ts' : 'tsx'
    return [{ code: text, kind, around: '' }]
  }
  return [...text.matchAll(element)].flatMap((found) => {
    const { start = '', attributes = '', code = '' } = found.groups ?? {}
    if (code.trim() === '') return []
    const begin = found.index + start.length
    const before = text.slice(0, begin)
    return {
      code: before.replace(/[^\n]/g, ' ') + code,
      kind: /\blang\s*=\s*["']?[jt]sx/.test(attributes) ? ('tsx' as const) : ('ts' as const),
      around: before + text.slice(begin + code.length),
    }
  })
}
