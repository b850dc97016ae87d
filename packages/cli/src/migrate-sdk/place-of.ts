import type { Binding, NodePath } from '@babel/traverse'
import type { Node } from '@babel/types'
import { sentryPackages } from './names.ts'
import type { Place } from './names.ts'
import type { Rewriting } from './rewriting.ts'

const promiseMembers = new Set(['catch', 'finally', 'then'])

/**
 * Returns our place of a name, which the nodes use; null when we have none that takes its place in
 * all of them.
 */
export function placeOf(
  rewriting: Rewriting,
  from: string,
  name: string,
  nodes: readonly NodePath[],
): Place | null {
  const places = sentryPackages[from]!.placesOn(rewriting.side)
  const place = Object.hasOwn(places, name) ? places[name]! : null
  if (place?.isType && !nodes.every(isType)) return null
  const members = place?.members
  return members && !nodes.every((it) => isUsedWithin(it, members)) ? null : place
}

function isType({ node, parent }: NodePath): boolean {
  return node.type === 'TSQualifiedName' || parent.type.startsWith('TS')
}

/** Says whether a call takes one argument at most, and only the members of its result are read. */
function isUsedWithin(callee: NodePath, members: ReadonlySet<string>): boolean {
  const call = callee.parentPath
  if (call?.node.type !== 'CallExpression' || call.node.callee !== callee.node) return true
  if (call.node.arguments.length > 1) return false
  return resultsOf(call).every((it) => isRead(it, members))
}

/** Returns the expressions that are the result of a call, or what its callback is given. */
function resultsOf(call: NodePath): NodePath[] {
  const { parent, parentPath } = call
  const callback = call.isCallExpression() ? call.get('arguments')[0] : undefined
  const bindings = [
    parent.type === 'VariableDeclarator' ? bindingOf(parentPath, parent.id) : undefined,
    callback?.isFunction() ? bindingOf(callback, callback.node.params[0]) : undefined,
  ]
  return [call, ...bindings.flatMap((it) => it?.referencePaths ?? [])]
}

function bindingOf(path: NodePath | null, name: Node | undefined): Binding | undefined {
  return name?.type === 'Identifier' ? path?.scope.getBinding(name.name) : undefined
}

/** Says whether a result is read by one of the members alone, which returns no further result. */
function isRead(result: NodePath, members: ReadonlySet<string>): boolean {
  const { parent, parentPath } = result
  if (parent.type === 'TSNonNullExpression' && parentPath !== null) {
    return isRead(parentPath, members)
  }
  const name = memberOf(result)
  if (name === null) return true
  const call = parentPath?.parentPath
  const next = call?.isCallExpression() || call?.isOptionalCallExpression() ? memberOf(call) : null
  return members.has(name) && (next === null || promiseMembers.has(next))
}

/** Returns the name of the member that is read of an expression; null when none is. */
function memberOf({ node, parent }: NodePath): string | null {
  const isMember = parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression'
  if (!isMember || parent.object !== node) return null
  const { property, computed } = parent
  return !computed && property.type === 'Identifier' ? property.name : ''
}
