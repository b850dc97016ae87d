import type { Binding, NodePath } from '@babel/traverse'
import type {
  ExportNamedDeclaration,
  Identifier,
  ImportDeclaration,
  StringLiteral,
} from '@babel/types'
import { reasonOf, sentryPackages } from './names.ts'
import { placeOf } from './place-of.ts'
import { removeIncluded, rewriteCalls } from './rewrite-options.ts'
import { indentOf, isGone, remarkAt } from './rewriting.ts'
import type { Rewriting, Use } from './rewriting.ts'

/** Columns of a line, beyond which an import has one name in each. */
const columnsMax = 100

/** A member of an import or export, as written: `a`, `a as b`, `type A`. */
interface Written {
  readonly name: string
  readonly as: string
  readonly isType: boolean
}

/** Rewrites one import declaration, and all that uses its names. */
export function rewriteImport(
  rewriting: Rewriting,
  path: NodePath<ImportDeclaration>,
  typeNames: ReadonlyMap<Binding, readonly NodePath[]>,
): void {
  const { node } = path
  const from = node.source.value
  const referencesTo = (local: string): NodePath[] => {
    const binding = path.scope.getBinding(local)
    const all = binding ? [...binding.referencePaths, ...(typeNames.get(binding) ?? [])] : []
    return [...new Map(all.map((it) => [it.node.start, it])).values()]
  }
  const [only] = node.specifiers
  if (only?.type === 'ImportNamespaceSpecifier') {
    rewriteNamespace(rewriting, node, only.local.name, referencesTo(only.local.name))
    return
  }
  if (only === undefined || node.specifiers.some((it) => it.type !== 'ImportSpecifier')) {
    remarkAt(rewriting, node, from, 'it is imported without names')
    return
  }
  const uses = node.specifiers.flatMap((it): (Use & { isType: boolean; local: string })[] => {
    if (it.type !== 'ImportSpecifier') return []
    const imported = nameOf(it.imported)
    const { name: local } = it.local
    const nodes = referencesTo(local)
    const place = placeOf(rewriting, from, imported, nodes)
    return [{ imported, local, place, nodes, isType: it.importKind === 'type' }]
  })
  removeIncluded(rewriting, uses)
  const groups = new Map<string, Written[]>()
  for (const use of uses) {
    rewriteCalls(rewriting, use)
    const nodes = use.nodes.filter((it) => !isGone(rewriting, it.node))
    if (use.nodes.length > 0 && nodes.length === 0) continue
    const { imported, local, place, isType } = use
    if (place === null)
      remarkAt(rewriting, node, imported, reasonOf(imported, from, rewriting.side))
    const name = place?.name ?? imported
    const as = local === imported && place ? renamed(rewriting, local, name, nodes) : local
    add(groups, place?.from ?? from, { name, as, isType })
  }
  replace(rewriting, node, groups, node.importKind === 'type' ? 'import type' : 'import')
}

/** Renames the uses of a local name to ours, where that is safe. Returns the local name. */
function renamed(
  { text, taken, around }: Rewriting,
  local: string,
  name: string,
  nodes: readonly NodePath[],
): string {
  if (local === name) return local
  const isPlain = nodes.every(
    ({ parent }) =>
      parent.type !== 'ExportSpecifier' && !(parent.type === 'ObjectProperty' && parent.shorthand),
  )
  if (!isPlain || taken.has(name) || mentions(around, local)) return local
  taken.add(name)
  for (const { node } of nodes) text.overwrite(node.start!, node.end!, name)
  return name
}

function rewriteNamespace(
  rewriting: Rewriting,
  node: ImportDeclaration,
  namespace: string,
  references: readonly NodePath[],
): void {
  const from = node.source.value
  const members = references.map(memberOf)
  if (members.includes(null) || mentions(rewriting.around, namespace)) {
    remarkAt(rewriting, node, namespace, 'the namespace is used as a whole, or in the markup')
    return
  }
  const byName = Map.groupBy(
    members.filter((it) => it !== null),
    (it) => it.name,
  )
  const uses = [...byName].map(([imported, all]): Use => {
    const nodes = all.map(({ whole }) => whole)
    return { imported, local: null, place: placeOf(rewriting, from, imported, nodes), nodes }
  })
  removeIncluded(rewriting, uses)
  for (const use of uses) rewriteCalls(rewriting, use)
  const present = uses.flatMap((use) => {
    const nodes = use.nodes.filter((it) => !isGone(rewriting, it.node))
    return nodes.length > 0 ? [{ ...use, nodes }] : []
  })
  const unknown = present.filter((it) => it.place === null)
  for (const { imported, nodes } of unknown) {
    for (const it of nodes) {
      remarkAt(rewriting, it.node, imported, reasonOf(imported, from, rewriting.side))
    }
  }
  if (unknown.length === present.length && unknown.length > 0) {
    return
  }
  const main = sentryPackages[from]!.mainOn(rewriting.side)
  const ours = unknown.length === 0 ? namespace : free(rewriting, 'Afterimage')
  const groups = new Map<string, Written[]>()
  let usesMain = present.length === 0
  for (const { place, nodes } of present) {
    if (place === null) continue
    if (place.from === main) usesMain = true
    const name = place.from === main ? `${ours}.${place.name}` : free(rewriting, place.name)
    if (place.from !== main) {
      const isType = nodes.every((it) => it.node.type === 'TSQualifiedName')
      add(groups, place.from, { name: place.name, as: name, isType })
    }
    for (const it of nodes) rewriting.text.overwrite(it.node.start!, it.node.end!, name)
  }
  const quote = quoteOf(node.source)
  const heads: string[] = []
  if (usesMain) heads.push(`import * as ${ours} from ${quote}${main}${quote}`)
  if (unknown.length > 0) heads.push(`import * as ${namespace} from ${quote}${from}${quote}`)
  replace(rewriting, node, groups, 'import', heads)
}

/** The member that a reference to a namespace reads, with the node that names both. */
function memberOf(path: NodePath): { readonly name: string; readonly whole: NodePath } | null {
  const { parent, parentPath } = path
  const isObject =
    (parent.type === 'MemberExpression' && parent.object === path.node && !parent.computed) ||
    (parent.type === 'JSXMemberExpression' && parent.object === path.node)
  if (parentPath === null) return null
  if (isObject && 'name' in parent.property && typeof parent.property.name === 'string') {
    return { name: parent.property.name, whole: parentPath }
  }
  if (parent.type === 'TSQualifiedName' && parent.left === path.node) {
    return { name: parent.right.name, whole: parentPath }
  }
  return null
}

/** Rewrites `export { … } from '…'`. */
export function rewriteExport(rewriting: Rewriting, node: ExportNamedDeclaration): void {
  const from = node.source!.value
  const groups = new Map<string, Written[]>()
  for (const it of node.specifiers) {
    if (it.type !== 'ExportSpecifier') {
      remarkAt(rewriting, node, from, 'it is exported as a whole')
      return
    }
    const imported = nameOf(it.local)
    const as = nameOf(it.exported)
    const place = placeOf(rewriting, from, imported, [])
    if (place === null)
      remarkAt(rewriting, node, imported, reasonOf(imported, from, rewriting.side))
    const isType = it.exportKind === 'type'
    add(groups, place?.from ?? from, { name: place?.name ?? imported, as, isType })
  }
  replace(rewriting, node, groups, node.exportKind === 'type' ? 'export type' : 'export')
}

function add(groups: Map<string, Written[]>, from: string, written: Written): void {
  groups.set(from, [...(groups.get(from) ?? []), written])
}

/** Writes statements in place of a declaration; none removes its line. */
function replace(
  rewriting: Rewriting,
  node: ImportDeclaration | ExportNamedDeclaration,
  groups: ReadonlyMap<string, readonly Written[]>,
  keyword: string,
  heads: readonly string[] = [],
): void {
  const { text } = rewriting
  const source = node.source!
  const unchanged = groups.get(source.value)
  if (groups.size === 1 && unchanged?.length === node.specifiers.length) return
  const quote = quoteOf(source)
  const end = text.original[node.end! - 1] === ';' ? ';' : ''
  const indent = indentOf(text.original, node.start!)
  const named = [...groups].map(([from, members]) =>
    statement(keyword, members.map(written), `${quote}${from}${quote}`, indent),
  )
  const all = [...heads, ...named].map((it) => it + end)
  if (all.length > 0) {
    text.overwrite(node.start!, node.end!, all.join(`\n${indent}`))
    return
  }
  const after = /^[ \t]*\r?\n/.exec(text.original.slice(node.end!))?.[0].length ?? 0
  text.remove(node.start!, node.end! + after)
}

function statement(
  keyword: string,
  members: readonly string[],
  source: string,
  indent: string,
): string {
  const line = `${keyword} { ${members.join(', ')} } from ${source}`
  if (indent.length + line.length < columnsMax) return line
  const lines = members.map((it) => `${indent}  ${it},`)
  return [`${keyword} {`, ...lines, `${indent}} from ${source}`].join('\n')
}

function written({ name, as, isType }: Written): string {
  return `${isType ? 'type ' : ''}${name}${as === name ? '' : ` as ${as}`}`
}

/** Returns a name that the file does not have yet. */
function free({ taken, around }: Rewriting, name: string): string {
  const isFree = (it: string): boolean => !taken.has(it) && !mentions(around, it)
  let found = name
  for (let count = 2; !isFree(found); count++) found = `${name}${count}`
  taken.add(found)
  return found
}

function mentions(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`).test(
    text,
  )
}

function quoteOf({ extra }: StringLiteral): string {
  return String(extra?.['raw'])[0]!
}

function nameOf(node: Identifier | StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value
}
