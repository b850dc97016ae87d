import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { budgets, weigh } from './entries.ts'

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
