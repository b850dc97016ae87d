import type { NodePath } from '@babel/traverse'
import type { CallExpression, Node, ObjectExpression } from '@babel/types'
import { callOptions, fateOf, serverInitOptions } from './call-options.ts'
import { alwaysIncluded } from './names.ts'
import { remarkAt, removeItems } from './rewriting.ts'
import type { Rewriting, Use } from './rewriting.ts'

/** Rewrites the options of the calls of a name, and remarks on those that need a person. */
export function rewriteCalls(rewriting: Rewriting, use: Use): void {
  const [first] = use.nodes
  if (use.place?.note !== undefined && first !== undefined) {
    remarkAt(rewriting, first.node, use.imported, use.place.note)
  }
  const fates = use.place?.name === 'initServer' ? serverInitOptions : callOptions[use.imported]
  for (const node of use.nodes) {
    const call = callOf(node)
    if (call === null || use.place === null) continue
    if (/^start(?:Inactive)?Span$/.test(use.imported) && usesSpan(call)) {
      remarkAt(
        rewriting,
        call,
        use.imported,
        'its span has setAttributes, setName and setStatus with a text; startedAt is in milliseconds',
      )
    }
    const [options] = call.arguments
    if (fates === undefined || options === undefined) continue
    if (options.type === 'ObjectExpression') rewriteOptions(rewriting, use, options, fates)
    else remarkAt(rewriting, call, use.imported, 'its options are not written here; check them')
  }
}

function rewriteOptions(
  rewriting: Rewriting,
  { imported }: Use,
  { properties }: ObjectExpression,
  fates: Parameters<typeof fateOf>[0],
): void {
  const doomed = new Set<Node>()
  for (const property of properties) {
    const name = property.type === 'SpreadElement' || property.computed ? null : keyOf(property.key)
    if (name === null) {
      remarkAt(rewriting, property, imported, 'options that are not written here; check them')
      continue
    }
    const fate = fateOf(fates, name)
    const what = `${imported}, option ${name}`
    if (fate.kind === 'removed') {
      doomed.add(property)
      remarkAt(rewriting, property, what, `removed: ${fate.why}`)
    } else if (fate.kind === 'remark') {
      remarkAt(rewriting, property, what, fate.why)
    } else if (fate.kind === 'renamed' && property.type !== 'SpreadElement') {
      const isShorthand = property.type === 'ObjectProperty' && property.shorthand
      const { start, end } = property.key
      if (isShorthand) rewriting.text.appendLeft(start!, `${fate.to}: `)
      else rewriting.text.overwrite(start!, end!, fate.to)
    }
  }
  removeItems(rewriting, properties, (it) => doomed.has(it))
}

/** Removes integrations from lists that `init` adds anyway. */
export function removeIncluded(rewriting: Rewriting, uses: readonly Use[]): void {
  const calls = new Set<Node>()
  const lists = new Map<Node, readonly (Node | null)[]>()
  for (const { imported, nodes } of uses) {
    if (!alwaysIncluded.has(imported)) continue
    for (const node of nodes) {
      const call = callOf(node)
      const list = node.parentPath?.parent
      if (call?.arguments.length !== 0 || list?.type !== 'ArrayExpression') continue
      calls.add(call)
      lists.set(list, list.elements)
      remarkAt(rewriting, call, imported, 'removed: init always adds it')
    }
  }
  for (const elements of lists.values()) removeItems(rewriting, elements, (it) => calls.has(it))
}

function callOf(node: NodePath): CallExpression | null {
  const { parent } = node
  return parent.type === 'CallExpression' && parent.callee === node.node ? parent : null
}

function usesSpan(call: CallExpression): boolean {
  const [, run] = call.arguments
  const isFunction = run?.type === 'ArrowFunctionExpression' || run?.type === 'FunctionExpression'
  return !isFunction || run.params.length > 0
}

function keyOf(key: Node): string | null {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' ? key.value : null
}
