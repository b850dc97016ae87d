import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** `afterimage privacy-audit` as a command; its findings are tested in `privacy-audit.spec.ts`. */

const program = fileURLToPath(new URL('../packages/cli/src/index.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

function audit(...given: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'privacy-audit', ...given], (failed, out, error) =>
      resolve({ code: Number(failed?.code ?? 0), out, error }),
    )
  })
}

test('a page that cannot be opened is named, in words', async () => {
  const { code, out, error } = await audit('http://127.0.0.1:9/account')
  expect([code, out]).toEqual([1, ''])
  expect(error).toContain('privacy-audit: http://127.0.0.1:9/account could not be opened')
  expect(error).not.toContain('    at ')
})

test('a page that leads to another is audited where it leads', { timeout: 90_000 }, async () => {
  const visited: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    visited.push(pathname)
    if (pathname === '/') response.writeHead(302, { location: '/en' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const { code, out } = await audit(`http://127.0.0.1:${port}`, '--json')
  server.close()
  expect(JSON.parse(out)).toMatchObject({ verdict: 'unproven', requests: 0 })
  expect(code).toBe(1)
  expect(visited.filter((path) => path === '/en').length).toBeGreaterThan(1)
})
