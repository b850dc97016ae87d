import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { budgets, weigh, weighSource } from './entries.ts'

test.each(Object.entries(budgets))('%s stays within %i bytes after gzip', async (entry, budget) => {
  const { gzipped } = await weigh(entry)
  expect(gzipped).toBeLessThanOrEqual(budget)
})

test('the client bundles only the parts of the protocol that it shares with the server', async () => {
  const { inputs } = await weigh('@afterimage/browser')
  const files = inputs.flatMap(([path, bytes]) =>
    bytes > 0 && path.includes('/protocol/') ? [basename(path)] : [],
  )
  expect(files.sort()).toEqual(['dsn.ts', 'encode-envelope.ts', 'ids.ts'])
})

test.each(['setTag', 'contextLinesIntegration', 'startSpan'])(
  'of the compatible entry %s costs only itself',
  async (name) => {
    const source = `import { ${name} } from '@afterimage/browser/compat'; globalThis.use = ${name}`
    const { inputs } = await weighSource(source, import.meta.dirname)
    const files = inputs.flatMap(([path, bytes]) => (bytes > 0 ? [path] : []))
    const others = /packages\/replay\/|src\/integrations\/|compat\/(init|logs)/
    expect(files.filter((path) => others.test(path))).toEqual([])
  },
)

test('of the compatible entry the feedback widget costs only itself', async () => {
  const source = `import { feedbackIntegration } from '@afterimage/browser/compat'; globalThis.use = feedbackIntegration`
  const { inputs } = await weighSource(source, import.meta.dirname)
  const files = inputs.flatMap(([path, bytes]) => (bytes > 0 ? [path] : []))
  const others =
    /packages\/replay\/|src\/integrations\/(?!\w+-feedback|feedback-)|compat\/(init|logs)/
  expect(files.filter((path) => others.test(path))).toEqual([])
  expect(files.some((path) => path.endsWith('/feedback-dialog.ts'))).toBe(true)
})
