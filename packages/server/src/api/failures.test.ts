import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'

const failureOfAnswer = Symbol.for('afterimage.failure')

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

test('an answer of 5xx tells those in the same process what was thrown, and nobody else', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await server.metadata.all('alter table projects rename to away')
  const answer = await server.ask('/organizations/main/projects/')
  const failure = (answer as unknown as Record<symbol, unknown>)[failureOfAnswer]
  expect(answer.status).toBeGreaterThanOrEqual(500)
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).toContain('projects')
  expect(await answer.text()).not.toContain('projects')
  expect(logged).toHaveBeenCalledWith(failure)
  logged.mockRestore()
  await server.metadata.all('alter table away rename to projects')
  const after = await server.ask('/organizations/main/projects/')
  expect([after.status, failureOfAnswer in after]).toEqual([200, false])
})
