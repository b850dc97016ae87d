import { renameSync, rmSync, writevSync, openSync, closeSync } from 'node:fs'
import { compileSourceMap } from './compile.ts'
import { inlineMap, mapReference } from './map-reference.ts'
import type { UnusableMap } from './source-map.ts'

/** A map to compile into a file. */
export interface CompileTask {
  /** Null for a map inside of the script. */
  readonly map: Uint8Array | null
  readonly script: Uint8Array | null
  readonly path: string
}

export type CompileAnswer = { readonly bytes: number } | UnusableMap

/** Parts that one call of the system may write. */
const PARTS_PER_WRITE = 512

/** Compiles a map and puts the file in its place. */
export default function compile({ map, script, path }: CompileTask): CompileAnswer {
  const text = script === null ? null : new TextDecoder().decode(script)
  const mapBytes = map ?? inlineMap(text === null ? '' : (mapReference(text) ?? ''))
  if (mapBytes === null) return { unusable: 'The script has no map inside.' }
  const parts = compiled(mapBytes, text)
  if ('unusable' in parts) return parts
  return { bytes: writeWhole(path, parts) }
}

/** A map on which we fail is refused as well: another try would fail as this one did. */
function compiled(map: Uint8Array, script: string | null): ReturnType<typeof compileSourceMap> {
  try {
    return compileSourceMap(map, script)
  } catch (error) {
    return { unusable: `It cannot be compiled: ${String(error).slice(0, 200)}` }
  }
}

/** Writes beside and renames. Nothing is synced: a file torn by a power cut is compiled again. */
function writeWhole(path: string, parts: readonly Buffer[]): number {
  const beside = `${path}.new`
  try {
    const file = openSync(beside, 'w')
    let bytes = 0
    try {
      for (let from = 0; from < parts.length; from += PARTS_PER_WRITE) {
        const some = parts.slice(from, from + PARTS_PER_WRITE)
        const size = some.reduce((sum, { length }) => sum + length, 0)
        if (writevSync(file, some) !== size) throw new Error(`${beside} could not be written whole`)
        bytes += size
      }
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
    return bytes
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
