import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, it } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import { startFrontDoor } from '../front-door/front-door.fixture.ts'
import type { KnownKey } from './project-keys.ts'

function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as T
}

interface Recording {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Record<string, string>
  }
}

it('takes every request of the corpus unaltered', async (context) => {
  const folder = sharedFolder('corpus')
  if (folder === null) return context.skip('not run: no corpus')
  const manifest = readJson<{ project_keys: { project: string; public_key: string }[] }>(
    folder,
    'manifest.json',
  )
  const keys: Record<string, KnownKey> = {}
  for (const one of manifest.project_keys) {
    keys[one.public_key] = { projectId: Number(one.project), isActive: true }
  }
  const door = await startFrontDoor({ keys })
  const names = readdirSync(folder).filter((name) => name.endsWith('.envelope'))
  const refused: [string, number, string][] = []
  for (const name of names) {
    const body = readFileSync(join(folder, name))
    const { request } = readJson<Recording>(folder, name.replace('.envelope', '.json'))
    const { host: _host, 'content-length': _length, ...headers } = request.headers
    const answer = await door.send(request.url, { body, headers })
    if (answer.status !== 200) refused.push([name, answer.status, answer.text])
    const { id } = JSON.parse(answer.text) as { id?: string }
    expect([name, door.lastEnvelope().header.event_id]).toEqual([name, id])
  }
  expect(refused).toEqual([])
  expect(door.deliveries).toHaveLength(names.length)
  expect(names.length).toBeGreaterThan(500)
  await door.close()
}, 60_000)

interface SdkRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body_stored_decoded?: boolean
}

it('takes the recordings of browser, Node and Python SDKs, old and new', async (context) => {
  const folder = sharedFolder('fixtures')
  if (folder === null) return context.skip('not run: no folder of fixtures')
  const sdks = join(folder, 'generated-sdk')
  let sent = 0
  for (const sdk of readdirSync(sdks)) {
    for (const file of readdirSync(join(sdks, sdk)).filter((one) => one.endsWith('.http.json'))) {
      const recorded = readJson<SdkRequest>(sdks, sdk, file)
      const bodyFile = readdirSync(join(sdks, sdk)).find(
        (one) => one.startsWith(file.replace('.http.json', '.')) && one !== file,
      )
      if (recorded.method !== 'POST' || bodyFile === undefined) continue
      const plain = readFileSync(join(sdks, sdk, bodyFile))
      const isGzip = recorded.headers['content-encoding'] === 'gzip'
      const body = isGzip ? gzipSync(plain) : plain
      const { host: _host, 'content-length': _length, ...headers } = recorded.headers
      const door = await startFrontDoor({ keys: keyOf(recorded, plain) })
      const answer = await door.send(recorded.url, { body, headers })
      expect([sdk, file, answer.status, answer.text]).toEqual([sdk, file, 200, answer.text])
      expect(door.deliveries).toHaveLength(1)
      await door.close()
      sent += 1
    }
  }
  expect(sent).toBeGreaterThan(80)
}, 60_000)

/** The key that a recording was sent with, as its project's. */
function keyOf({ url, headers }: SdkRequest, body: Buffer): Record<string, KnownKey> {
  const envelope = decodeEnvelope(body)
  const dsn = isRefusal(envelope) ? undefined : envelope.header.dsn
  const key = /sentry_key=([0-9a-f]{32})/.exec(`${url} ${headers['x-sentry-auth']}`)?.[1]
  const project = /\/api\/(\d+)\//.exec(url)?.[1] ?? /\/(\d+)$/.exec(dsn ?? '')?.[1]
  return {
    [key ?? new URL(dsn ?? '').username]: { projectId: Number(project), isActive: true },
  }
}
