import type { NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import type { MagicString } from 'magic-string'
import type { Place, Side } from './names.ts'

/** A part that was left alone, or that a person should look at. */
export interface Remark {
  readonly line: number
  readonly what: string
  readonly why: string
}

/** The state of one script while it is rewritten. */
export interface Rewriting {
  /** The whole file, whose positions are those of the nodes. */
  readonly text: MagicString
  readonly side: Side
  /** The rest of the file. Names in it stay as they are. */
  readonly around: string
  /** All names of the script, which a new one must differ from. */
  readonly taken: Set<string>
  readonly remarks: Remark[]
  /** Ranges that are gone, so that nothing inside of them is changed. */
  readonly gone: [start: number, end: number][]
}

/** One name of Sentry's in a script. */
export interface Use {
  readonly imported: string
  /** Null when it is reached through a namespace. */
  readonly local: string | null
  /** Null when we have no such name. */
  readonly place: Place | null
  /** The expressions, types and elements that name it: `init`, or `Sentry.init`. */
  readonly nodes: readonly NodePath[]
}

/** Notes a remark at a node. */
export function remarkAt(rewriting: Rewriting, node: Node, what: string, why: string): void {
  rewriting.remarks.push({ line: node.loc?.start.line ?? 1, what, why })
}

/** Removes items from a list of them, with their commas and the comments above them. */
export function removeItems(
  { text, gone }: Rewriting,
  items: readonly (Node | null)[],
  isDoomed: (item: Node) => boolean,
): void {
  const present = items.filter((it) => it !== null)
  const lastKept = present.findLastIndex((it) => !isDoomed(it))
  const remove = (start: number, end: number): void => {
    text.remove(start, end)
    gone.push([start, end])
  }
  for (const [index, item] of present.slice(0, Math.max(0, lastKept)).entries()) {
    if (isDoomed(item))
      remove(startOf(item, present[index - 1]), startOf(present[index + 1]!, item))
  }
  const [next, last] = [present[lastKept + 1], present.at(-1)]
  if (next === undefined || last === undefined) return
  const kept = present[lastKept]
  const start = startOf(next, kept)
  const between = kept === undefined ? '' : text.original.slice(kept.end!, start)
  const hasComment = /[^\s,]/.test(between)
  const after = /^\s*,/.exec(text.original.slice(last.end!))?.[0].length ?? 0
  if (kept !== undefined && !hasComment) remove(kept.end!, last.end!)
  else remove(start - (/\s*$/.exec(between)?.[0].length ?? 0), last.end! + after)
}

/** Returns where an item begins, with the comments on the lines above it. */
function startOf(item: Node, previous: Node | undefined): number {
  const line = previous?.loc?.end.line ?? 0
  const above = item.leadingComments?.find((it) => (it.loc?.start.line ?? 0) > line)
  return above?.start ?? item.start!
}

/** Says whether a node is in a range that was removed. */
export function isGone({ gone }: Rewriting, { start, end }: Node): boolean {
  return gone.some(([from, to]) => start! >= from && end! <= to)
}

/** Returns the white space that a further line needs, to begin where this place does. */
export function indentOf(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).replace(/\S/g, ' ')
}
