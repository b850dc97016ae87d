import { parseExpression } from '@babel/parser'
import type { ObjectExpression, ObjectProperty } from '@babel/types'
import { MagicString } from 'magic-string'
import { sentryPackages } from './names.ts'
import { indentOf } from './rewriting.ts'
import type { Remark } from './rewriting.ts'

/** The server's tarballs: the address of one for a package of ours. */
export type TarballOf = (name: string) => string

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Packages of ours that others of ours are installed with. */
const peers: Readonly<Record<string, readonly string[]>> = {
  '@afterimage/next': ['@afterimage/replay', '@afterimage/browser'],
  '@afterimage/react': ['@afterimage/browser'],
  '@afterimage/replay': ['@afterimage/browser'],
  '@afterimage/svelte': ['@afterimage/browser'],
  '@afterimage/vue': ['@afterimage/browser'],
}

/** The packages that the sources of a manifest name. */
export interface Named {
  readonly ours: ReadonlySet<string>
  readonly sentry: ReadonlySet<string>
}

/** Returns the packages that a source names, in imports or elsewhere. */
export function packagesNamed(text: string): string[] {
  return [...text.matchAll(/["'`](@(?:afterimage|sentry)\/[a-z-]+)/g)].map(([, name = '']) => name)
}

/**
 * Rewrites the dependencies of a `package.json`: packages of Sentry's that its sources no longer
 * name become those of ours that they name, and others stay beside ours. Without a server it is
 * left alone.
 */
export function rewriteManifest(
  before: string,
  { ours, sentry }: Named,
  tarballOf: TarballOf | null,
): { readonly after: string; readonly remarks: readonly Remark[] } {
  const manifest = parseManifest(before)
  const remarks: Remark[] = []
  if (manifest === null) {
    return {
      after: before,
      remarks: [{ line: 1, what: 'package.json', why: 'it is not valid JSON' }],
    }
  }
  const present = new Set<string>()
  const doomed: ObjectProperty[] = []
  const kept: ObjectProperty[] = []
  const text = new MagicString(before)
  const wanted = new Set([...ours, ...[...ours].flatMap((it) => peers[it] ?? [])])
  for (const section of sections) {
    for (const it of propertiesOf(manifest, section)) {
      const name = keyOf(it)
      present.add(name)
      if (!Object.hasOwn(sentryPackages, name) || ours.size === 0) continue
      const line = it.loc?.start.line ?? 1
      if (sentry.has(name)) {
        kept.push(it)
        remarks.push({ line, what: name, why: 'sources still name it' })
      } else doomed.push(it)
    }
  }
  const missing = [...wanted].filter((it) => !present.has(it)).sort()
  const first = doomed[0] ?? kept[0]
  if (first === undefined || (doomed.length === 0 && missing.length === 0)) {
    return { after: before, remarks }
  }
  if (tarballOf === null && missing.length > 0) {
    const names = missing.join(', ')
    const place = doomed.length > 0 ? 'in its place' : 'beside it'
    for (const it of doomed.length > 0 ? doomed : [first]) {
      const why = `give --server to put ${names} ${place}`
      remarks.push({ line: it.loc?.start.line ?? 1, what: keyOf(it), why })
    }
    return { after: before, remarks }
  }
  const added = missing.map((it) => `${JSON.stringify(it)}: ${JSON.stringify(tarballOf?.(it))}`)
  replaceProperties(text, manifest, { first, doomed, added })
  return { after: text.toString(), remarks }
}

interface Replacement {
  /** The property where the texts are added. */
  readonly first: ObjectProperty
  readonly doomed: readonly ObjectProperty[]
  readonly added: readonly string[]
}

/** Writes texts at the first property, and removes those that are doomed. */
function replaceProperties(
  text: MagicString,
  manifest: ObjectExpression,
  { first, doomed, added }: Replacement,
): void {
  const { original } = text
  const indent = indentOf(original, first.start!)
  for (const section of sections) {
    const all = propertiesOf(manifest, section)
    const written = all.flatMap((it) => {
      const own = doomed.includes(it) ? [] : [original.slice(it.start!, it.end!)]
      return it === first ? [...added, ...own] : own
    })
    if (!all.some((it) => it === first || doomed.includes(it))) continue
    text.overwrite(all[0]!.start!, all.at(-1)!.end!, written.join(`,\n${indent}`))
  }
}

function parseManifest(text: string): ObjectExpression | null {
  try {
    JSON.parse(text)
    const parsed = parseExpression(text)
    return parsed.type === 'ObjectExpression' ? parsed : null
  } catch {
    return null
  }
}

function propertiesOf(manifest: ObjectExpression, section: string): ObjectProperty[] {
  const found = manifest.properties.find(
    (it) => it.type === 'ObjectProperty' && keyOf(it) === section,
  )
  if (found?.type !== 'ObjectProperty' || found.value.type !== 'ObjectExpression') return []
  return found.value.properties.filter((it) => it.type === 'ObjectProperty')
}

function keyOf({ key }: ObjectProperty): string {
  return key.type === 'StringLiteral' ? key.value : ''
}
