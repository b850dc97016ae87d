import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { weigh } from './entries.ts'

/**
 * Greatest bytes after gzip that each optional entry of `@afterimage/browser` adds to the smallest
 * one, with the modules of its own that it brings. The kernel may bring more for it.
 */
const additions = {
  'capture-console': [250, 'capture-console'],
  'extra-error-data': [330, 'extra-error-data'],
  'feature-flags': [220, 'feature-flags'],
  'http-client': [490, 'http-client'],
  logger: [1250, 'batch', 'logger', 'typed-attributes'],
  metrics: [1100, 'batch', 'metrics', 'typed-attributes'],
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
