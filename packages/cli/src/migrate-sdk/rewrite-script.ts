import traverse from '@babel/traverse'
import type { Binding, NodePath } from '@babel/traverse'
import type {
  CallExpression,
  ExportAllDeclaration,
  ExportNamedDeclaration,
  ImportDeclaration,
  ImportExpression,
  Node,
  StringLiteral,
} from '@babel/types'
import type { MagicString } from 'magic-string'
import { sentryPackages } from './names.ts'
import type { Side } from './names.ts'
import { parseScript } from './parse-script.ts'
import { rewriteLoad } from './rewrite-calls.ts'
import { rewriteExport, rewriteImport } from './rewrite-imports.ts'
import { remarkAt } from './rewriting.ts'
import type { Remark, Rewriting } from './rewriting.ts'
import type { ScriptBlock } from './script-blocks.ts'

type Load = NodePath<CallExpression | ImportExpression>

/** Everything in a script that names a package of Sentry's, and the names that the script has. */
interface Mentions {
  readonly imports: NodePath<ImportDeclaration>[]
  readonly exports: NodePath<ExportNamedDeclaration | ExportAllDeclaration>[]
  readonly loads: { readonly path: Load; readonly source: StringLiteral }[]
  /** In calls of other functions, such as `vi.mock`. */
  readonly texts: NodePath<StringLiteral>[]
  readonly names: Set<string>
  /** Types reached through a namespace, which Babel does not count as references. */
  readonly typeNames: Map<Binding, NodePath[]>
}

/**
 * Rewrites one script in `text`, the file that it is part of. Returns the remarks; a text when it
 * cannot be parsed, which says where.
 */
export function rewriteScript(
  { code, kind, around }: ScriptBlock,
  side: Side,
  text: MagicString,
): readonly Remark[] | string {
  const file = parseScript(code, kind)
  if (typeof file === 'string') return file
  const found = mentionsIn(file)
  const rewriting: Rewriting = {
    text,
    side,
    around,
    taken: found.names,
    remarks: [],
    gone: [],
  }
  for (const path of found.imports) {
    if (isKnown(rewriting, path.node.source)) rewriteImport(rewriting, path, found.typeNames)
  }
  for (const { node } of found.exports) {
    if (!isKnown(rewriting, node.source!)) continue
    if (node.type === 'ExportNamedDeclaration') rewriteExport(rewriting, node)
    else remarkAt(rewriting, node, node.source.value, 'all of it is exported')
  }
  for (const { path, source } of found.loads) {
    if (isKnown(rewriting, source)) rewriteLoad(rewriting, path, source)
  }
  for (const { node } of found.texts) {
    remarkAt(rewriting, node, node.value, 'a call names the package as a text')
  }
  return rewriting.remarks
}

/** Remarks on packages of Sentry's that are not rewritten. */
function isKnown(rewriting: Rewriting, source: StringLiteral): boolean {
  if (Object.hasOwn(sentryPackages, source.value)) return true
  remarkAt(rewriting, source, source.value, 'this package is not rewritten')
  return false
}

const isSentry = (name: string): boolean => /^@sentry(?:-internal)?\//.test(name)

function mentionsIn(file: Parameters<typeof traverse>[0]): Mentions {
  const found: Mentions = {
    imports: [],
    exports: [],
    loads: [],
    texts: [],
    names: new Set(),
    typeNames: new Map(),
  }
  const exported = (path: NodePath<ExportNamedDeclaration | ExportAllDeclaration>): void => {
    if (path.node.source && isSentry(path.node.source.value)) found.exports.push(path)
  }
  traverse(file, {
    Identifier({ node, parent, key }) {
      if (!isMember(parent, key)) found.names.add(node.name)
    },
    JSXIdentifier({ node, parent, key }) {
      if (!isMember(parent, key)) found.names.add(node.name)
    },
    ImportDeclaration(path) {
      if (isSentry(path.node.source.value)) found.imports.push(path)
    },
    ExportNamedDeclaration: exported,
    ExportAllDeclaration: exported,
    ImportExpression(path) {
      const { source } = path.node
      if (source.type === 'StringLiteral' && isSentry(source.value)) {
        found.loads.push({ path, source })
      }
    },
    CallExpression(path) {
      const [source] = path.node.arguments
      if (source?.type !== 'StringLiteral' || !isSentry(source.value)) return
      const { callee } = path.node
      if (callee.type === 'Identifier' && callee.name === 'require') {
        found.loads.push({ path, source })
      } else found.texts.push(path.get('arguments.0') as NodePath<StringLiteral>)
    },
    TSQualifiedName(path) {
      const left = path.get('left')
      if (!left.isIdentifier()) return
      const binding = path.scope.getBinding(left.node.name)
      if (binding) found.typeNames.set(binding, [...(found.typeNames.get(binding) ?? []), left])
    },
  })
  return found
}

/** Says whether a name is that of a member, which shadows no other. */
function isMember(parent: Node, key: string | number | null): boolean {
  switch (parent.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'property' && !parent.computed
    case 'ObjectProperty':
      return key === 'key' && !parent.computed && !parent.shorthand
    case 'JSXMemberExpression':
      return key === 'property'
    case 'TSQualifiedName':
      return key === 'right'
    default:
      return false
  }
}
