import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readBuild } from './built-files.ts'
import { giveDebugIds } from './give-debug-ids.ts'
import { makeArchive } from './make-archive.ts'
import { uploadArchive } from './upload-archive.ts'

vi.mock('./limits.ts', async (original) => ({
  ...(await original<Record<string, number>>()),
  firstPauseMs: 1,
  stateEveryMs: 1,
}))

const debugId = '0d1ba1e4-3b44-4a0c-b0b5-1d3e8a2f4c11'
const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' })

let folder: string
let server: Server | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sourcemaps-'))
})
afterEach(() => {
  server?.close()
  server = null
  rmSync(folder, { recursive: true })
})

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Runs a script as a page does, and returns the debug ids that clients find then. */
function idsAtRunTime(code: string): readonly string[] {
  const page: Record<string, Record<string, string>> = {}
  runInNewContext(code, page)
  return Object.values(page['_sentryDebugIds'] ?? {})
}

test('scripts are found with the maps that they name, or that lie beside them', async () => {
  write({
    'js/a.js': 'a()\n//# sourceMappingURL=other%20name.map',
    'js/other name.map': map,
    'b.mjs': 'b()',
    'b.mjs.map': map,
    'c.cjs': 'c()\n//# sourceMappingURL=data:application/json;base64,e30=',
    'style.css.map': map,
    'node_modules/d.js': 'd()',
  })
  const found = await readBuild(folder)
  expect(found?.map((one) => [one.name, one.map?.name])).toEqual([
    ['b.mjs', 'b.mjs.map'],
    ['c.cjs', undefined],
    ['js/a.js', 'js/other name.map'],
  ])
})

test('a script gets a debug id of its content, known to the page that runs it, once', async () => {
  write({ 'a.js': 'a=1\n//# sourceMappingURL=a.js.map\n', 'a.js.map': map, 'alone.js': 'b=1' })
  const { scripts, changed } = await giveDebugIds((await readBuild(folder)) ?? [])
  expect([changed, scripts[1]?.debugId]).toEqual([1, null])
  const id = scripts[0]?.debugId
  expect(read('a.js')).toMatch(
    new RegExp(`\\na=1\\n//# debugId=${id}\\n//# sourceMappingURL=a\\.js\\.map\\n$`),
  )
  expect(JSON.parse(read('a.js.map'))).toMatchObject({
    debug_id: id,
    debugId: id,
    mappings: ';AAAA',
  })
  expect(idsAtRunTime(read('a.js'))).toEqual([id])
  expect(await giveDebugIds((await readBuild(folder)) ?? [])).toMatchObject({ changed: 0 })
  write({ 'a.js': 'a=1\n//# sourceMappingURL=a.js.map\n', 'a.js.map': map })
  const again = await giveDebugIds((await readBuild(folder)) ?? [])
  expect(again.scripts[0]?.debugId).toBe(id)
})

test("a bundler's own id stays, and is made known; a map that cannot be read gives none", async () => {
  write({
    'a.js': `a=1\n//# sourceMappingURL=a.js.map\n//# debugId=${debugId}`,
    'a.js.map': map,
    'b.js': 'b=1',
    'b.js.map': 'not JSON',
  })
  const { scripts, changed } = await giveDebugIds((await readBuild(folder)) ?? [])
  expect([changed, ...scripts.map((one) => one.debugId)]).toEqual([1, debugId, null])
  expect(idsAtRunTime(read('a.js'))).toEqual([debugId])
  expect(read('a.js')).toMatch(
    new RegExp(`\\na=1\\n//# debugId=${debugId}\\n//# sourceMappingURL=a\\.js\\.map\\n$`),
  )
})

async function archiveOf(files: Readonly<Record<string, string>>): Promise<string> {
  write(files)
  const { scripts } = await giveDebugIds((await readBuild(folder)) ?? [])
  const path = join(folder, 'archive.zip')
  await makeArchive(scripts, { path, urlPrefix: '~/', release: '1', dist: null })
  return path
}

/** Starts a server that answers each path by its own function. */
async function serve(answer: RequestListener): Promise<string> {
  const started = createServer(answer).listen(0, '127.0.0.1')
  server = started
  await new Promise((resolve) => started.once('listening', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}

test('the same files make the same archive', async () => {
  const files = { 'a.js': 'a()', 'a.js.map': map }
  const first = readFileSync(await archiveOf(files))
  expect(readFileSync(await archiveOf(files)).equals(first)).toBe(true)
})

const upload = (path: string) => ({ path, project: 'store', release: '1', dist: null })

test('only missing parts are sent, again after a failure, until the server has them', async () => {
  const path = await archiveOf({ 'a.js': 'a()'.repeat(100), 'a.js.map': map })
  const sent: string[] = []
  let failures = 2
  let asked = 0
  const url = await serve(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    expect(request.headers.authorization).toBe('Bearer secret')
    if (request.method === 'GET') {
      response.end(JSON.stringify({ url: `${url}/parts`, chunkSize: 256 }))
    } else if (request.url === '/parts') {
      failures -= 1
      if (failures >= 0) response.writeHead(503)
      else sent.push(/filename="([0-9a-f]{40})"/.exec(body.toString('latin1'))?.[1] ?? '')
      response.end()
    } else {
      asked += 1
      const { chunks } = JSON.parse(String(body)) as { chunks: string[] }
      const states = [
        { state: 'not_found', missingChunks: chunks.slice(1) },
        { state: 'created', missingChunks: [] },
        { state: 'assembling', missingChunks: [] },
      ]
      response.end(JSON.stringify(states[asked - 1] ?? { state: 'ok', chunks }))
      if (asked === 4) expect(sent).toEqual(chunks.slice(1))
    }
  })
  const progress: number[] = []
  await uploadArchive({ server: url, token: 'secret' }, upload(path), (done) => progress.push(done))
  expect(asked).toBe(4)
  expect(sent.length).toBeGreaterThan(0)
  expect(progress.at(-1)).toBe(sent.length)
})

test.each([
  [401, '{"detail":"Invalid token"}', /does not know the token/],
  [403, '{"detail":"This token may not write."}', /answered 403: This token may not write/],
  [404, '<html>', /has no such address/],
])('an answer %i ends the upload with its reason', async (status, body, message) => {
  const path = await archiveOf({ 'a.js': 'a()', 'a.js.map': map })
  const url = await serve((_, response) => void response.writeHead(status).end(body))
  const target = { server: url, token: 'x' }
  await expect(uploadArchive(target, upload(path), () => {})).rejects.toThrow(message)
})

test('an error of the server about the archive, and no server at all, are told', async () => {
  const path = await archiveOf({ 'a.js': 'a()', 'a.js.map': map })
  const url = await serve((request, response) =>
    response.end(
      JSON.stringify(
        request.method === 'GET'
          ? { url: '', chunkSize: 1000 }
          : { state: 'error', detail: 'The archive has no manifest.json.' },
      ),
    ),
  )
  const target = { server: url, token: 'x' }
  await expect(uploadArchive(target, upload(path), () => {})).rejects.toThrow('has no manifest')
  const nobody = { server: 'http://127.0.0.1:9', token: 'x' }
  await expect(uploadArchive(nobody, upload(path), () => {})).rejects.toThrow('cannot be reached')
})
