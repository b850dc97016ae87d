import { writeFile } from 'node:fs/promises'
import { debugIdIn, debugIdOf, injectDebugId } from '@afterimage/next/debug-id'
import type { BuiltScript } from './built-files.ts'

/** A script that has a debug id, or none because it has no map that could be read. */
export interface NamedScript extends BuiltScript {
  readonly debugId: string | null
}

/**
 * Gives every script with a map a debug id, in both files, and writes them. The id is made of their
 * content, so that the same build has the same ids. A bundler's own id stays; the line that makes it
 * known to a running page is added where it is missing.
 */
export async function giveDebugIds(scripts: readonly BuiltScript[]): Promise<{
  readonly scripts: readonly NamedScript[]
  /** Scripts that were changed. */
  readonly changed: number
}> {
  let changed = 0
  const named: NamedScript[] = []
  for (const script of scripts) {
    const present = debugIdIn(script.code)
    if (script.map === null || isKnownAtRunTime(script.code, present)) {
      named.push({ ...script, debugId: present })
      continue
    }
    const { map } = script
    const debugId = present ?? debugIdOf(`${script.code}\n${map.text}`)
    const injected = injectDebugId({
      code: script.code.replace(idComment, ''),
      map: map.text,
      debugId,
      keepsMapComment: true,
      isForAnyClient: true,
    })
    if (injected === null) {
      named.push({ ...script, debugId: present })
      continue
    }
    await writeFile(map.path, injected.map)
    await writeFile(script.path, injected.code)
    changed += 1
    named.push({ ...script, code: injected.code, map: { ...map, text: injected.map }, debugId })
  }
  return { scripts: named, changed }
}

/** The comment of an id that is written anew. */
const idComment = /\n?\/\/# debugId=[^\s]+(?=\s*(?:\/\/[#@] sourceMappingURL=\S+\s*)?$)/

/** The comment alone is not seen by a page: a snippet has the id too. */
function isKnownAtRunTime(code: string, debugId: string | null): boolean {
  return debugId !== null && code.indexOf(debugId) !== code.lastIndexOf(debugId)
}
