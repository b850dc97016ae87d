import { setTimeout as delay } from 'node:timers/promises'
import { readConfig, type Config } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { AppError } from '@afterimage/server/errors'
import { checkDataDir, checkNotedDamage } from '@afterimage/server/programs/data-dir'
import { acquireLock } from '@afterimage/server/programs/lock'
import {
  EXIT_CONFIG,
  lastingFailures,
  type Role,
  type RoleMessage,
} from '@afterimage/server/programs/role'

/** A role whose predecessor was killed waits for the kernel to take its lock away. */
const LOCK_WAIT_MS = 10_000

export async function runIngest(): Promise<void> {
  const { startIngestRole } = await import('@afterimage/server/programs/ingest')
  await run('ingest', startIngestRole)
}

export async function runProcess(): Promise<void> {
  const { startProcessRole } = await import('@afterimage/server/programs/process')
  await run('process', startProcessRole)
}

export async function runWeb(rest: readonly string[]): Promise<void> {
  const { startWebRole } = await import('@afterimage/server/programs/web')
  const { buildConsole, consoleFolder } = await import('../../../tools/build/console.ts')
  const { buildPackages } = await import('../../../tools/build/packages.ts')
  const { buildSdk } = await import('../../../tools/build/sdk.ts')
  const isDevelopment = rest.includes('--dev')
  // The supervisor has built already and named the folder.
  const consoleBuild = isDevelopment
    ? null
    : (process.env.AFTERIMAGE_CONSOLE_BUILD ??= await buildConsole(say))
  const folders = {
    consoleFolder,
    sdkFolder: await buildSdk(say),
    packagesFolder: await buildPackages(say),
  }
  await run('web', (config) => startWebRole(config, { isDevelopment, consoleBuild, ...folders }))
}

/** Reports the progress of builds on stderr: stdout is for the announcement. */
function say(line: string): void {
  console.error(line)
}

/** Starts a role, alone or under a supervisor, which hears of a failure that lasts and says it once. */
async function run(name: string, start: (config: Config) => Promise<Role>): Promise<void> {
  try {
    await runUntilStopped(name, start)
  } catch (error) {
    const isLasting = error instanceof AppError && lastingFailures.has(error.code)
    if (!isLasting || process.send === undefined) throw error
    tell({ type: 'refused', code: error.code, message: error.message }, () =>
      process.exit(EXIT_CONFIG),
    )
  }
}

async function runUntilStopped(
  name: string,
  start: (config: Config) => Promise<Role>,
): Promise<void> {
  const config = readConfig(readEnv(process.env), process.cwd())
  // A supervisor has looked already. A role that it starts again must come up beside a damaged file.
  const isAlone = process.send === undefined
  if (isAlone) checkDataDir(config)
  // Before anything is opened: a second writer of one queue or one store would be fatal.
  const lock = await acquireLock(`${config.paths.lock}-${name}`, LOCK_WAIT_MS)
  if (isAlone) checkNotedDamage(config)
  // The channel closes when the supervisor ends, for any reason. Unfinished work is safe to abandon
  // (the queue keeps it), and a second server may already be starting.
  process.once('disconnect', () => process.exit(0))
  const role = await start(config)
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A Ctrl-C reaches the whole process group; under a supervisor its SIGTERM decides the order.
      if (isStopping || (signal === 'SIGINT' && !isAlone)) return
      isStopping = true
      void role.stop().then(async () => {
        lock.release()
        await delay(0)
        process.exit(0)
      })
    })
  }
  if (isAlone) console.log(JSON.stringify({ role: name, ...role.announcement }))
  else tell({ type: 'ready', announcement: role.announcement })
}

/** A message that no supervisor takes any more is dropped: the end of the channel ends this process. */
function tell(message: RoleMessage, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, sent)
}
