import { parse } from '@babel/parser'
import type { File } from '@babel/types'

/** `tsx` has JSX; in `ts`, `<T>value` is a cast. */
export type SourceKind = 'ts' | 'tsx'

/** Parses JavaScript or TypeScript; a text when it is neither. */
export function parseScript(code: string, kind: SourceKind): File | string {
  try {
    return parse(code, {
      sourceType: 'unambiguous',
      plugins: ['typescript', 'decorators-legacy', ...(kind === 'tsx' ? (['jsx'] as const) : [])],
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
