import type { NodePath } from '@babel/traverse'
import type {
  CallExpression,
  ImportExpression,
  Node,
  ObjectPattern,
  StringLiteral,
} from '@babel/types'
import { sentryPackages } from './names.ts'
import type { Place } from './names.ts'
import { placeOf } from './place-of.ts'
import { rewriteCalls } from './rewrite-options.ts'
import { remarkAt } from './rewriting.ts'
import type { Rewriting } from './rewriting.ts'

/** A name that is read of a loaded module, and how to write ours in its place. */
interface Member {
  readonly imported: string
  /** The uses, as far as calls of it are rewritten. */
  readonly nodes: readonly NodePath[]
  write(name: string): void
}

/**
 * Rewrites `import('…')` and `require('…')`, when all names that are read of the module are in one
 * entry of ours. Others are left alone.
 */
export function rewriteLoad(
  rewriting: Rewriting,
  path: NodePath<CallExpression | ImportExpression>,
  source: StringLiteral,
): void {
  const from = source.value
  const members = membersOf(rewriting, path)
  const leave = (why: string): void => remarkAt(rewriting, path.node, from, why)
  if (members === null) return leave('the module is used as a whole')
  const places = members.map(({ imported, nodes }) => placeOf(rewriting, from, imported, nodes))
  const unknown = members.filter((_, index) => places[index] === null)
  if (unknown.length > 0) {
    return leave(`${unknown.map((it) => it.imported).join(', ')}: not in one entry of ours`)
  }
  const entries = new Set(places.map((it) => it!.from))
  if (entries.size > 1) return leave(`its names are in ${[...entries].join(' and ')}`)
  const [entry = sentryPackages[from]!.mainOn(rewriting.side)] = entries
  for (const [index, { imported, nodes, write }] of members.entries()) {
    const place = places[index] as Place
    rewriteCalls(rewriting, { imported, local: null, place, nodes })
    if (place.name !== imported) write(place.name)
  }
  const { raw } = source.extra as { raw: string }
  rewriting.text.overwrite(source.start!, source.end!, raw[0] + entry + raw[0])
}

/** Returns the names read of a loaded module; null when it is used otherwise. */
function membersOf(rewriting: Rewriting, load: NodePath): Member[] | null {
  const value = load.parent.type === 'AwaitExpression' ? load.parentPath : load
  const { parent, parentPath } = value
  if (parent.type === 'VariableDeclarator' && parentPath !== null) {
    return membersOfTarget(rewriting, parentPath, parent.id)
  }
  if (parent.type !== 'MemberExpression' || parent.object !== value.node) return null
  if (parent.computed || parent.property.type !== 'Identifier') return null
  if (value === load && parent.property.name === 'then') {
    const call = parentPath?.parent
    const [run] = call?.type === 'CallExpression' && call.callee === parent ? call.arguments : []
    if (run?.type !== 'ArrowFunctionExpression' && run?.type !== 'FunctionExpression') return null
    const [target] = run.params
    const scope = parentPath.parentPath.get('arguments.0') as NodePath
    return target === undefined ? [] : membersOfTarget(rewriting, scope, target)
  }
  const isRequire = load.node.type === 'CallExpression' && load.node.callee.type === 'Identifier'
  if (value === load && !isRequire) return null
  return [memberAt(rewriting, parent.property, parentPath === null ? [] : [parentPath])]
}

function membersOfTarget(rewriting: Rewriting, scope: NodePath, target: Node): Member[] | null {
  if (target.type === 'ObjectPattern') return membersOfPattern(rewriting, scope, target)
  if (target.type !== 'Identifier') return null
  const binding = scope.scope.getBinding(target.name)
  if (binding === undefined || !binding.constant) return null
  const members = binding.referencePaths.map(({ node, parent, parentPath }) =>
    parent.type === 'MemberExpression' &&
    parent.object === node &&
    !parent.computed &&
    parent.property.type === 'Identifier' &&
    parentPath !== null
      ? memberAt(rewriting, parent.property, [parentPath])
      : null,
  )
  return members.includes(null) ? null : members.filter((it) => it !== null)
}

function membersOfPattern(
  rewriting: Rewriting,
  scope: NodePath,
  { properties }: ObjectPattern,
): Member[] | null {
  const members = properties.map((it): Member | null => {
    if (it.type !== 'ObjectProperty' || it.computed || it.key.type !== 'Identifier') return null
    const { key, shorthand, value } = it
    const local = value.type === 'Identifier' ? value.name : null
    return {
      imported: key.name,
      nodes: local === null ? [] : (scope.scope.getBinding(local)?.referencePaths ?? []),
      write(name) {
        if (shorthand) rewriting.text.appendLeft(key.start!, `${name}: `)
        else rewriting.text.overwrite(key.start!, key.end!, name)
      },
    }
  })
  return members.includes(null) ? null : members.filter((it) => it !== null)
}

function memberAt(
  { text }: Rewriting,
  property: Node & { readonly name: string },
  nodes: readonly NodePath[],
): Member {
  return {
    imported: property.name,
    nodes,
    write: (name) => text.overwrite(property.start!, property.end!, name),
  }
}
