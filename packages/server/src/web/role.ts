import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import type { SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { getRequestListener } from '@hono/node-server'
import { createApi } from '../api/index.ts'
import type { Config } from '../config.ts'
import { openWebStores } from '../context.ts'
import { createLog } from '../log.ts'
import type { Role } from '../role.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { buildSdk } from './build-sdk.ts'
import { startConsole } from './console.ts'
import { openSdkFiles } from './sdk-files.ts'
import { createAuth } from './auth.ts'
import { figuresPath, renderFigures } from './figures.ts'
import { createOwnerLink, hasUsers, seedOwner } from './auth-owner.ts'
import { prepareSelfMonitoring, type SelfMonitoringOfServer } from './self-monitoring.ts'

/** Requests that are under way at a stop get this long. */
const DRAIN_MS = 3_000

/** The query API, sign-in and the server-rendered console, on one server behind the front door. */
export async function startWebRole(
  config: Config,
  options: { readonly isDevelopment: boolean },
): Promise<Role> {
  const stores = await openWebStores(config)
  const auth = createAuth({ config, metadata: stores.metadata })
  const ownerLink = await ownerLinkOf(config, stores.metadata)
  const log = createLog('web', config.logLevel)
  const self = await prepareSelfMonitoring(config, stores.metadata, options)
  const api = createApi({ ...stores, auth, config, log, selfMonitoring: forPages(self) })
  const answerApi = getRequestListener(api, { overrideGlobalObjects: false })
  const console = await startConsole({
    api,
    self,
    baseUrl: config.baseUrl,
    isDevelopment: options.isDevelopment,
  })

  const sdkFiles = openSdkFiles(await buildSdk((line) => log.info(line)))

  // The front door asks for them, on the socket that nobody else has; elsewhere there are none.
  const isLocal = 'socketPath' in config.web
  const answerFigures = async (response: ServerResponse): Promise<void> => {
    const text = await renderFigures(stores.events).catch((error: unknown) => {
      log.error({ err: error }, 'the figures could not be read')
      response.statusCode = 503
      return ''
    })
    response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
  }

  const server = createServer((request, response) => {
    if (sdkFiles.answer(request, response)) return
    // No page lives under `/api/`: programs that ask for what is not there are told in JSON.
    if (/^\/api(\/|\?|$)/.test(request.url ?? '')) void answerApi(request, response)
    else if (isLocal && request.url === figuresPath) void answerFigures(response)
    else void console.answer(request, response)
  })
  // Whoever keeps a connection decides when it ends: closing it here would meet a request under way.
  if (isLocal) server.keepAliveTimeout = 0
  server.on('upgrade', (request, socket, head) => console.upgrade(request, socket, head))
  const address = await listen(server, config)
  return {
    announcement: ownerLink === null ? { address } : { address, ownerLink },
    stop: async () => {
      await closeServer(server)
      await console.close()
      await stores.close()
    },
  }
}

/** Where the front door is inside is nobody's business. */
function forPages(self: SelfMonitoringOfServer | null): SelfMonitoring | null {
  if (self === null) return null
  const { server: _, ...handed } = self
  return handed
}

/** Makes the owner of the settings, or the address at which a person makes it; null when there is one. */
async function ownerLinkOf(config: Config, metadata: Metadata): Promise<string | null> {
  if (config.owner !== null) await seedOwner(metadata, config.owner)
  if (await hasUsers(metadata)) return null
  return `${config.baseUrl}/setup?token=${await createOwnerLink(metadata)}`
}

async function listen(server: Server, config: Config): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.once('listening', resolve)
  let address: string
  if ('socketPath' in config.web) {
    address = config.web.socketPath
    mkdirSync(dirname(address), { recursive: true, mode: 0o700 })
    rmSync(address, { force: true })
    server.listen(address)
  } else {
    const url = new URL(config.web.url)
    address = url.href
    server.listen(Number(url.port || 80), url.hostname)
  }
  await promise
  return address
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}
