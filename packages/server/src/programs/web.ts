import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import type { SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import { getRequestListener } from '@hono/node-server'
import { createApi } from '../api/index.ts'
import type { Config } from '../config.ts'
import { openWebStores } from '../context.ts'
import { webFiguresPath, webReadinessPath } from '../front-door/inner-addresses.ts'
import { createLog } from '../log.ts'
import type { Role } from './role.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { startConsole } from '../web/console.ts'
import { webServerOptions } from '../web/http-server.ts'
import { checkStores } from '../web/readiness.ts'
import { openPackageFiles } from '../web/package-files.ts'
import { openSdkFiles } from '../web/sdk-files.ts'
import { createAuth } from '../auth/sign-in.ts'
import { renderFigures } from '../web/figures.ts'
import { applyOwnerOfSettings, createOwnerLink, hasUsers } from '../auth/owner.ts'
import { keepSecretKey } from '../auth/secret-key.ts'
import {
  prepareSelfMonitoring,
  type SelfMonitoringOfServer,
} from '../self-monitoring/self-monitoring.ts'

/** Requests in flight at a stop get this long. */
const DRAIN_MS = 3_000

export interface WebOptions {
  readonly isDevelopment: boolean
  /** The console's sources, where Next finds its build. */
  readonly consoleFolder: string
  /** Its build, relative to that; null in development. */
  readonly consoleBuild: string | null
  /** A build of the client's scripts, to be served. */
  readonly sdkFolder: string
  /** A build of the client's packages, to be installed from here. */
  readonly packagesFolder: string
}

/** Starts the query API, sign-in and the server-rendered console, on one server behind the front door. */
export async function startWebRole(config: Config, options: WebOptions): Promise<Role> {
  const stores = await openWebStores(config)
  const log = createLog('web', config.logLevel)
  const auth = createAuth({ config, metadata: stores.metadata, log })
  const ownerLink = await ownerLinkOf(config, stores.metadata)
  const self = await prepareSelfMonitoring(config, stores.metadata, options)
  const api = createApi({
    ...stores,
    auth,
    secretKey: keepSecretKey(config),
    config,
    log,
    selfMonitoring: forPages(self),
  })
  const answerApi = getRequestListener(api, { overrideGlobalObjects: false })
  const console = await startConsole({
    api,
    self,
    baseUrl: config.baseUrl,
    folder: options.consoleFolder,
    build: options.consoleBuild,
  })

  const client = [openSdkFiles(options.sdkFolder), openPackageFiles(options.packagesFolder)]

  // The front door asks for figures, on a private socket; without that socket there are none.
  const isLocal = 'socketPath' in config.web
  const answerFigures = async (response: ServerResponse): Promise<void> => {
    const text = await renderFigures(stores.events).catch((error: unknown) => {
      log.error({ err: error }, 'the figures could not be read')
      response.statusCode = 503
      return ''
    })
    response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
  }

  const answerReadiness = async (response: ServerResponse): Promise<void> => {
    const isReady = await checkStores(stores, [config.paths.events, config.paths.metadata]).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'a store cannot be read')
        return false
      },
    )
    response.writeHead(isReady ? 200 : 503).end(isReady ? 'ready' : 'not ready')
  }

  const server = createServer(webServerOptions, (request, response) => {
    if (request.url === webReadinessPath) return void answerReadiness(response)
    if (client.some((files) => files.answer(request, response))) return
    // No page lives under `/api/`: programs that ask for what is not there are told in JSON.
    if (/^\/api(\/|\?|$)/.test(request.url ?? '')) void answerApi(request, response)
    else if (isLocal && request.url === webFiguresPath) void answerFigures(response)
    else void console.answer(request, response)
  })
  // The front door ends kept connections: closing one here could cut off a request in flight.
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

/** The inner address of the front door stays private. */
function forPages(self: SelfMonitoringOfServer | null): SelfMonitoring | null {
  if (self === null) return null
  const { server: _, ...handed } = self
  return handed
}

/** Makes the owner of the settings, or the address at which a person makes it; null when there is one. */
async function ownerLinkOf(config: Config, metadata: Metadata): Promise<string | null> {
  if (config.owner !== null) await applyOwnerOfSettings(metadata, config.owner)
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
