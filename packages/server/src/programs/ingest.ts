import type { Config } from '../config.ts'
import { openIngestStores } from '../context.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Role } from './role.ts'
import { verifyToken } from '../auth/tokens.ts'
import { brotliWarning } from '../ingest/content-encoding.ts'
import { pollProjectKeys } from '../ingest/project-keys.ts'
import { createIngestServer } from '../front-door/server.ts'

/** Starts the front door on the configured address. */
export async function startIngestRole(config: Config): Promise<Role> {
  const log = createLog('ingest', config.logLevel)
  const warning = brotliWarning()
  if (warning !== null) log.warn(warning)
  const stores = await openIngestStores(config)
  const keys = await pollProjectKeys(stores.metadata, (cause) =>
    log.error({ err: cause }, 'project keys could not be read; the known keys stay valid'),
  )
  const isApiToken = async (secret: string): Promise<boolean> =>
    (await verifyToken(stores.metadata, secret)) !== null
  const server = createIngestServer({ queue: stores.queue, keys, isApiToken, log }, config)
  const port = await server
    .listen({ host: config.host, port: config.port })
    .catch(async (cause) => {
      keys.close()
      await stores.close()
      const address = `${config.host}:${config.port}`
      throw new AppError(
        'CONFIG_INVALID',
        `HOST and PORT: the server cannot listen on ${address}.`,
        {
          cause,
        },
      )
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
