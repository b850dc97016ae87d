import { build } from 'esbuild'
import { createContext, runInContext } from 'node:vm'
import * as client from '@afterimage/browser'
import * as scopes from '@afterimage/browser/scopes'
import * as tracing from '@afterimage/browser/tracing'
import { expect, test } from 'vitest'

/** The bundle as the server builds it. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/index.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs the script on a page that runs `before` first, and returns the page's globals. */
function globalOn(script: string, before: string): Record<string, unknown> {
  const page = createContext({
    document: { currentScript: null, baseURI: 'https://shop.test/' },
    crypto,
    performance,
    URL,
  })
  runInContext(before, page)
  runInContext(script, page)
  return runInContext('globalThis.Afterimage', page) as Record<string, unknown>
}

test('the global has everything of the client and of tracing, also where a page has added to Object.prototype', async () => {
  const script = await bundle()
  for (const before of ['', 'Object.prototype.x = 2']) {
    const names = Object.keys(globalOn(script, before))
    expect(names).toEqual(
      expect.arrayContaining([
        ...Object.keys(client),
        ...Object.keys(scopes),
        ...Object.keys(tracing),
        'thrownValues',
      ]),
    )
  }
})
