import { setTimeout as delay } from 'node:timers/promises'
import { readConfig, type Config } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { acquireLock } from '@afterimage/server/lock'
import type { Role, RoleMessage } from '@afterimage/server/role'

/** A role whose predecessor was killed waits for the kernel to take its lock away. */
const LOCK_WAIT_MS = 10_000

export async function runIngest(): Promise<void> {
  const { startIngestRole } = await import('@afterimage/server/ingest/role')
  await run('ingest', startIngestRole)
}

export async function runProcess(): Promise<void> {
  const { startProcessRole } = await import('@afterimage/server/process/role')
  await run('process', startProcessRole)
}

export async function runWeb(rest: readonly string[]): Promise<void> {
  const { startWebRole } = await import('@afterimage/server/web/role')
  const isDevelopment = rest.includes('--dev')
  // The supervisor has built already and named the folder.
  if (!isDevelopment && process.env.AFTERIMAGE_CONSOLE_BUILD === undefined) {
    const { buildConsole } = await import('@afterimage/server/web/build-console')
    process.env.AFTERIMAGE_CONSOLE_BUILD = await buildConsole((line) => console.error(line))
  }
  await run('web', (config) => startWebRole(config, { isDevelopment }))
}

async function run(name: string, start: (config: Config) => Promise<Role>): Promise<void> {
  const config = readConfig(readEnv(process.env), process.cwd())
  // Before anything is opened: a second writer of one queue or one store would be fatal.
  const lock = await acquireLock(`${config.paths.lock}-${name}`, LOCK_WAIT_MS)
  // The channel is gone when the supervisor is, however it ended: whatever this role was doing is
  // safe to abandon (the queue keeps it), and a second server may be starting already.
  process.once('disconnect', () => process.exit(0))
  const role = await start(config)
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A Ctrl-C reaches the whole process group; under a supervisor its SIGTERM decides the order.
      if (isStopping || (signal === 'SIGINT' && process.send !== undefined)) return
      isStopping = true
      void role.stop().then(async () => {
        lock.release()
        await delay(0)
        process.exit(0)
      })
    })
  }
  const message: RoleMessage = { type: 'ready', announcement: role.announcement }
  if (process.send === undefined) console.log(JSON.stringify({ role: name, ...role.announcement }))
  else process.send(message)
}
