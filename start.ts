/**
 * `npm start`: the supervisor. Prepares what is missing (settings, secret), starts the roles as
 * child processes (`web` once the console is built), prints the address, restarts what dies, stops in order.
 * The only file that knows all three roles.
 */
import { fileURLToPath } from 'node:url'
import { buildConsole } from './tools/build/console.ts'
import { buildPackages } from './tools/build/packages.ts'
import { buildSdk } from './tools/build/sdk.ts'
import { readConfig, type Config } from './packages/server/src/config.ts'
import { readEnv } from './packages/server/src/env.ts'
import { AppError, errorCodes } from './packages/server/src/errors.ts'
import { acquireLock } from './packages/server/src/programs/lock.ts'
import { keepSecretKey } from './packages/server/src/auth/secret-key.ts'
import { checkDataDir, checkNotedDamage } from './packages/server/src/programs/data-dir.ts'
import { supervise, type Supervisor } from './packages/server/src/programs/supervisor.ts'

/** A predecessor that was just killed may need a moment until its roles have gone. */
const LOCK_WAIT_MS = 3_000

/**
 * A page is drawn from little garbage: 60 MB less at idle, and no slower to see. Four times what
 * busy pages take is a leak, which ends in a new start instead of a machine without memory.
 */
const webNodeOptions = ['--max-semi-space-size=2', '--max-old-space-size=1024']

const command = fileURLToPath(new URL('./packages/cli/src/index.ts', import.meta.url))
const isDevelopment = process.argv.includes('--dev')

try {
  await main()
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.error(`\n${error.message}\n${errorCodes[error.code].advice}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const config = readConfig(readEnv(process.env), process.cwd())
  checkDataDir(config)
  const lock = await acquireLock(config.paths.lock, LOCK_WAIT_MS)
  checkNotedDamage(config)
  const secretKey = keepSecretKey(config)
  console.log('Starting …')
  let isStarting = true
  const supervisor = supervise(
    // The order of stopping: first nothing more comes in, then everything else ends.
    ['ingest', 'process', 'web'].map((name) => ({
      name,
      modulePath: command,
      arguments: isDevelopment ? [name, '--dev'] : [name],
      ...(name === 'web' ? { nodeOptions: webNodeOptions, environment: buildForWeb() } : {}),
    })),
    {
      ...process.env,
      AFTERIMAGE_SECRET_KEY: secretKey,
      NEXT_TELEMETRY_DISABLED: '1',
      ...(isDevelopment ? {} : { NODE_ENV: 'production' }),
    },
    {
      onReady: (name) => console.log(isStarting ? `  ${name} is ready` : `${name} is back`),
      onExit: (name, how, waitMs) =>
        console.error(`${name} ended (${how}); it starts again in ${waitMs} ms`),
    },
  )
  stopOnSignal(supervisor, () => lock.release())
  const announcements = await supervisor.ready.catch(async (cause: unknown) => {
    await supervisor.stop()
    throw cause
  })
  isStarting = false
  greet(config, announcements.get('web')?.ownerLink)
}

/** Envelopes are accepted and processed meanwhile, so a new version loses none. */
async function buildForWeb(): Promise<Record<string, string>> {
  await buildSdk(say)
  await buildPackages(say)
  return isDevelopment ? {} : { AFTERIMAGE_CONSOLE_BUILD: await buildConsole(say) }
}

function say(line: string): void {
  console.log(line)
}

function greet(config: Config, ownerLink: string | undefined): void {
  console.log(`\nAfterimage is at ${config.baseUrl}`)
  if (ownerLink !== undefined) {
    console.log(`Create the owner account (this link works once): ${ownerLink}`)
  }
  console.log(`Data is kept in ${config.dataDir}\n`)
}

function stopOnSignal(supervisor: Supervisor, release: () => void): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      console.log('Stopping …')
      void supervisor.stop().then(() => {
        release()
        process.exit(0)
      })
    })
  }
}
