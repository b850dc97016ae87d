import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { weigh } from './entries.ts'

/**
 * Optional entries of `@afterimage/browser`: the greatest bytes after gzip that each adds to the
 * smallest entry, and the modules of its own that it brings. The kernel may bring more for it.
 */
const additions = {
  'capture-console': [250, 'capture-console'],
  consent: [480, 'consent', 'end-client'],
  'extra-error-data': [330, 'extra-error-data'],
  'feature-flags': [220, 'feature-flags'],
  'feedback-widget': [
    3350,
    'deliver-feedback',
    'feedback-dialog',
    'feedback-form',
    'feedback-style',
    'feedback-texts',
    'feedback-widget',
  ],
  'http-client': [490, 'http-client'],
  logger: [1250, 'batch', 'logger', 'typed-attributes'],
  metrics: [1100, 'batch', 'metrics', 'typed-attributes'],
  'remote-settings': [920, 'end-client', 'remote-settings'],
  'reporting-observer': [280, 'reporting-observer'],
  'rewrite-frames': [250, 'rewrite-frames'],
  'third-party-errors': [270, 'third-party-errors'],
  'thrown-values': [70, 'thrown-values'],
  'web-workers': [460, 'web-workers', 'worker-message'],
  worker: [230, 'worker'],
} as const

const smallest = weigh('@afterimage/browser/errors')

test.each(Object.entries(additions))('%s adds itself alone', async (name, [bytes, ...modules]) => {
  const entries = `@afterimage/browser/errors + @afterimage/browser/${name}`
  const { gzipped, inputs } = await weigh(entries)
  expect(gzipped - (await smallest).gzipped).toBeLessThanOrEqual(bytes)
  const own = inputs.flatMap(([path, size]) =>
    size > 0 && path.includes('/integrations/') ? [basename(path, '.ts')] : [],
  )
  expect(own.sort()).toEqual(modules)
})

/** The greatest bytes after gzip that the packages of frameworks add to the client with tracing. */
const frameworks = {
  '@afterimage/react': 930,
  '@afterimage/react/react-router': 1330,
  '@afterimage/react/tanstack-router': 870,
  '@afterimage/vue': 1520,
  '@afterimage/svelte': 70,
  '@afterimage/svelte + @afterimage/svelte/kit-client': 940,
}

const client = '@afterimage/browser + @afterimage/browser/tracing'
const traced = weigh(client)

test.each(Object.entries(frameworks))('%s adds at most %i bytes', async (entries, bytes) => {
  const { gzipped } = await weigh(`${client} + ${entries}`)
  expect(gzipped - (await traced).gzipped).toBeLessThanOrEqual(bytes)
})

/** The same of an entry of `@afterimage/replay`, which is not part of the recorder's chunk. */
const canvasBytesMax = 2200

test('pictures of canvases add themselves alone', async () => {
  const { gzipped, inputs } = await weigh('@afterimage/browser/errors + @afterimage/replay/canvas')
  expect(gzipped - (await smallest).gzipped).toBeLessThanOrEqual(canvasBytesMax)
  const own = inputs.filter(([path, size]) => size > 0 && path.includes('packages/replay/'))
  expect(own.every(([path]) => path.includes('/replay/src/canvas/'))).toBe(true)
})

test('a worker without another client loads little', async () => {
  expect((await weigh('@afterimage/browser/worker')).gzipped).toBeLessThanOrEqual(2300)
})

test('the documentation has these limits', () => {
  const page = readFileSync(new URL('../../docs/sdk/integrations.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| `@afterimage\/\w+\/([\w-]+)` \|.*\| ([\d,]+) \|$/gm)
  const documented = [...rows].map(([, name, bytes]) => [name, Number(bytes?.replace(',', ''))])
  const held = Object.entries(additions).map(([name, [bytes]]): [string, number] => [name, bytes])
  held.push(['canvas', canvasBytesMax])
  expect(documented.sort()).toEqual(held.sort())
})
