import type {
  AnyNode,
  Class,
  Expression,
  Identifier,
  Literal,
  Node,
  Pattern,
  PrivateIdentifier,
  Super,
} from 'acorn'

/** A word of a name; `offset` is where it stands in the script, null for words of our own. */
export interface NamePart {
  readonly text: string
  readonly offset: number | null
}

/** A function of a script, by offsets. Without parts it has no name. */
export interface ScriptFunction {
  readonly start: number
  readonly end: number
  readonly parts: readonly NamePart[]
}

type Names = Map<Node, readonly NamePart[]>

/**
 * Finds all functions of a script with the names that JavaScript gives them: their own, else that of
 * the variable, property or class that they are given to.
 */
export function functionsOf(tree: Node): ScriptFunction[] {
  const functions: ScriptFunction[] = []
  const names: Names = new Map()
  // A list instead of recursion: minified expressions nest thousands deep.
  const waiting: AnyNode[] = [tree as AnyNode]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    noteNames(node, names)
    if (isFunction(node)) {
      functions.push({ start: node.start, end: node.end, parts: names.get(node) ?? [] })
    }
    names.delete(node)
    for (const child of childrenOf(node)) waiting.push(child)
  }
  return functions
}

function isFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' ||
    type === 'FunctionExpression' ||
    type === 'ArrowFunctionExpression'
  )
}

function* childrenOf(node: AnyNode): Iterable<AnyNode> {
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) yield child
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Notes the names that a node gives to functions and classes inside of it. */
function noteNames(node: AnyNode, names: Names): void {
  switch (node.type) {
    case 'VariableDeclarator':
      return give(node.init, partsOf(node.id), names)
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return give(node.right, partsOf(node.left), names)
    case 'Property':
      return give(node.value, keyParts(node.key, node.computed), names)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      if (node.id) names.set(node, partsOf(node.id))
      return
    case 'ClassDeclaration':
    case 'ClassExpression':
      return noteMembers(node, node.id ? partsOf(node.id) : (names.get(node) ?? []), names)
    default:
  }
}

function noteMembers({ body }: Class, className: readonly NamePart[], names: Names): void {
  for (const member of body.body) {
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
      const isNamed = className.length > 0
      names.set(member.value, isNamed ? [{ text: 'new', offset: null }, ...className] : [])
    } else if (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') {
      give(member.value, [...className, ...keyParts(member.key, member.computed)], names)
    }
  }
}

function give(value: Node | null | undefined, parts: readonly NamePart[], names: Names): void {
  if (!value || parts.length === 0) return
  if (isFunction(value) || value.type === 'ClassExpression') names.set(value, parts)
}

/** Places that every function of a kind has say nothing. */
const sayNothing = new Set([
  'this',
  'exports',
  'module',
  'prototype',
  'window',
  'self',
  'globalThis',
])

function partsOf(node: Pattern | Expression | Super | Identifier): NamePart[] {
  if (node.type === 'Identifier') {
    return sayNothing.has(node.name) ? [] : [{ text: node.name, offset: node.start }]
  }
  if (node.type !== 'MemberExpression') return []
  return [...partsOf(node.object), ...keyParts(node.property, node.computed)]
}

function keyParts(key: Expression | PrivateIdentifier | Literal, isComputed: boolean): NamePart[] {
  if (key.type === 'Literal' && typeof key.value === 'string') {
    return [{ text: key.value, offset: null }]
  }
  if (isComputed) return []
  if (key.type === 'PrivateIdentifier') return [{ text: `#${key.name}`, offset: key.start }]
  return partsOf(key)
}
