import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { readConfig, type Config } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { openMetadata } from '@afterimage/server/storage/open'
import { createOwnerLink, hasUsers, setPassword } from '@afterimage/server/auth/owner'
import { UsageError } from './usage-error.ts'

type Metadata = Awaited<ReturnType<typeof openMetadata>>

/**
 * Runs `owner link`, which prints a new one-time link that creates the owner account and revokes
 * earlier links, or `owner password <email> [--stdin]`, which sets a new password and ends the account's
 * sessions. The password is generated and shown once, or read from standard input.
 */
export async function owner(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: { stdin: { type: 'boolean', default: false } },
  })
  const [action, email] = positionals
  if (action !== 'link' && action !== 'password') {
    throw new UsageError('owner: give "link" or "password"')
  }
  const config = readConfig(readEnv(process.env), process.cwd())
  const metadata = await openMetadata(config)
  try {
    if (action === 'link') await printLink(config, metadata)
    else await changePassword(metadata, email, values.stdin)
  } finally {
    await metadata.close()
  }
}

async function printLink(config: Config, metadata: Metadata): Promise<void> {
  if (await hasUsers(metadata)) {
    throw new UsageError(
      'owner link: an account already exists. "owner password <email>" sets a new password for it',
    )
  }
  console.log(`${config.baseUrl}/setup?token=${await createOwnerLink(metadata)}`)
}

async function changePassword(
  metadata: Metadata,
  email: string | undefined,
  isGiven: boolean,
): Promise<void> {
  if (email === undefined) throw new UsageError('owner password: give the email of the account')
  const given = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : null
  const password = given ?? randomBytes(12).toString('base64url')
  await setPassword(metadata, email, password)
  console.log(given === null ? `The new password is: ${password}` : 'The password was changed.')
}
