import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { openIngestStores } from '../context.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Role } from './role.ts'
import type { TokenRight } from '../auth/rights.ts'
import { verifyToken } from '../auth/tokens.ts'
import { brotliWarning } from '../ingest/content-encoding.ts'
import { keepClientSettings } from '../ingest/client-settings.ts'
import { pollProjectKeys } from '../ingest/project-keys.ts'
import { findClientSettings } from '../projects/client-settings.ts'
import { createIngestServer, type IngestServer } from '../front-door/server.ts'

/** A server that was just killed may hold its port for a moment; after this it is somebody's. */
const PORT_WAIT_MS = 2_000
const PORT_TRY_EVERY_MS = 100

/** Starts the front door on the configured address. */
export async function startIngestRole(config: Config): Promise<Role> {
  const log = createLog('ingest', config.logLevel)
  const warning = brotliWarning()
  if (warning !== null) log.warn(warning)
  const stores = await openIngestStores(config)
  const keys = await pollProjectKeys(stores.metadata, (cause) =>
    log.error({ err: cause }, 'project keys could not be read; the known keys stay valid'),
  )
  const rightsOf = async (secret: string): Promise<readonly TokenRight[] | null> =>
    (await verifyToken(stores.metadata, secret))?.scopes ?? null
  const settingsOf = keepClientSettings((id) => findClientSettings(stores.metadata, id))
  const { queue } = stores
  const server = createIngestServer({ queue, keys, settingsOf, rightsOf, log }, config)
  const port = await listen(server, config).catch(async (cause) => {
    keys.close()
    await stores.close()
    throw cause
  })
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    announcement: { address: `http://${host}:${port}` },
    stop: async () => {
      await server.close()
      keys.close()
      await stores.close()
    },
  }
}

/** @throws ADDRESS_IN_USE, CONFIG_INVALID for an address that is not of this machine, or not for this user */
async function listen(server: IngestServer, { host, port }: Config): Promise<number> {
  const giveUpAt = performance.now() + PORT_WAIT_MS
  for (;;) {
    try {
      return await server.listen({ host, port })
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && performance.now() < giveUpAt) await delay(PORT_TRY_EVERY_MS)
      else throw unlistenable(`${host}:${port}`, code, cause)
    }
  }
}

function unlistenable(address: string, code: string | undefined, cause: unknown): AppError {
  if (code === 'EADDRINUSE') {
    return new AppError('ADDRESS_IN_USE', `Another program listens on ${address}.`, { cause })
  }
  const message = `HOST and PORT: the server cannot listen on ${address} (${code}).`
  return new AppError('CONFIG_INVALID', message, { cause })
}
