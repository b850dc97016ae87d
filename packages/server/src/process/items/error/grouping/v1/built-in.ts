import type { NormalizedEvent } from '@afterimage/protocol/event'

/** Errors of frameworks that are one problem wherever they surface, by their type or the start of their text. */
const builtIns: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'chunk-load',
    /^ChunkLoadError\b|^(?:\w+: )?(?:Loading (?:CSS )?chunk \S{1,200} failed|Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed)/i,
  ],
  [
    'hydration',
    /^(?:\w+: )?(?:Hydration failed|There was an error while hydrating|Text content does not match server-rendered HTML|The server could not finish this Suspense boundary|Minified React error #(?:418|419|422|423|425)\b)/i,
  ],
  ['next-static-props', /^(?:\w+: )?Failed to load static props/],
  [
    'next-relative-url',
    /^(?:\w+: )?(?:Invariant: )?(?:attempted to .{0,40})?invalid relative URL/i,
  ],
]

const platforms = new Set(['javascript', 'node', 'other'])

/** The name of the family the thrown error belongs to; null for all others. */
export function builtInFamily(event: NormalizedEvent): string | null {
  const thrown = event.exception?.at(-1)
  if (!thrown || !platforms.has(event.platform)) return null
  const text = `${thrown.type ?? 'Error'}: ${(thrown.value ?? '').slice(0, 300)}`
  for (const [name, pattern] of builtIns) if (pattern.test(text)) return name
  return null
}
