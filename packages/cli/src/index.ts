#!/usr/bin/env node
/**
 * Runs `afterimage <command>`: a role, or an administrative command on a data directory. Each command
 * is a file that is loaded only when it is called.
 */
import { AppError, errorCodes } from '@afterimage/server/errors'
import { EXIT_CONFIG, lastingFailures } from '@afterimage/server/programs/role'
import { UsageError } from './usage-error.ts'

const usage = `afterimage <command>

  start                          runs the whole server, like npm start
  ingest | process | web         runs one role
  project create <slug> [--name <name>] [--platform <platform>] [--id <number>] [--key <hex>]… [--json]
  project list [--json]
  token create --name <name> [--right read|write|metrics]… [--json]
  owner link                     prints a new one-time link that creates the owner account
  owner password <email> [--stdin]  sets a new password for an account
  queue requeue <file>…          queues the readable envelopes of a damaged segment again (stop the server first)
  privacy-audit <url> [--unmasked] [--json] [--chromium <path>] [--ignore <part of an address>]…
                                 puts canaries into the page, and fails if it sends one
  migrate-sdk <dir> [--write] [--server <url>]
                                 moves an application from Sentry's client: shows the diff and what is left
  sourcemaps upload <dir> --url <server> --token <token> [--project <slug>] [--release <version>]
                          [--dist <name>] [--url-prefix <~/path>] [--delete-maps]
                                 gives a build debug ids, and uploads its scripts and source maps

Settings come from the environment: see docs/operating.md.`

type Command = (rest: readonly string[]) => Promise<void>

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  ingest: async () => (await import('./role.ts')).runIngest,
  process: async () => (await import('./role.ts')).runProcess,
  web: async () => (await import('./role.ts')).runWeb,
  project: async () => (await import('./project.ts')).project,
  token: async () => (await import('./token.ts')).token,
  owner: async () => (await import('./owner.ts')).owner,
  queue: async () => (await import('./queue.ts')).queue,
  'privacy-audit': async () => (await import('./privacy-audit.ts')).privacyAudit,
  'migrate-sdk': async () => (await import('./migrate-sdk.ts')).migrateSdk,
  sourcemaps: async () => (await import('./sourcemaps.ts')).sourcemaps,
}

const [name = '', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (['help', '--help', '-h'].includes(name)) {
  console.log(usage)
} else if (command === undefined) {
  console.error(name === '' ? usage : `"${name}" is not a valid command.\n\n${usage}`)
  process.exitCode = 2
} else {
  try {
    await (
      await command()
    )(rest)
  } catch (error) {
    if (error instanceof AppError) {
      console.error(`${error.message}\n${errorCodes[error.code].advice}`)
      if (lastingFailures.has(error.code)) process.exit(EXIT_CONFIG)
    } else if (
      error instanceof UsageError ||
      (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    ) {
      console.error(`${(error as Error).message}\n\n${usage}`)
    } else {
      console.error(error)
    }
    process.exit(1)
  }
}
