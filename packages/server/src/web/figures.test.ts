import { expect, test } from 'vitest'
import { errorItem, openApiServer } from '../testing/api-server.ts'
import { renderFigures } from './figures.ts'

test('items are counted by what became of them, and no reason breaks the format', async () => {
  const server = await openApiServer()
  await server.store([errorItem(1), errorItem(2)])
  await server.store([errorItem(1)])
  const discards = [{ category: 'error', reason: 'odd"}\n1', quantity: 3 }]
  await server.store([{ type: 'client_report', discards }])
  const lines = (await renderFigures(server.events)).split('\n')
  expect(lines).toContain('afterimage_items_total{outcome="accepted",reason=""} 3')
  expect(lines).toContain('afterimage_items_total{outcome="duplicate",reason=""} 1')
  for (const line of lines) expect(line).toMatch(/^(?:#.*|afterimage_items_total\{[^{}]+\} \d+|)$/)
  await server.close()
})
