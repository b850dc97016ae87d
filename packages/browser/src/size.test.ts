import { expect, test } from 'vitest'
import { budgets, weigh } from '../size.ts'

test.each(Object.entries(budgets))('%s stays within %i bytes after gzip', async (entry, budget) => {
  const { gzipped } = await weigh(entry)
  expect(gzipped).toBeLessThanOrEqual(budget)
})

test('of the protocol nothing is bundled but types', async () => {
  const { inputs } = await weigh('index.ts')
  expect(inputs.map(([path]) => path).filter((path) => path.includes('protocol'))).toEqual([])
})
