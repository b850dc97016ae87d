import { readConfig } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { openMetadata } from '@afterimage/server/storage/open'
import { createOwnerLink, hasUsers } from '@afterimage/server/web/auth-owner'
import { UsageError } from './usage-error.ts'

/** `owner link`: a new one-time link that creates the owner account; earlier ones stop working. */
export async function owner(rest: readonly string[]): Promise<void> {
  if (rest[0] !== 'link') throw new UsageError('owner: give "link"')
  const config = readConfig(readEnv(process.env), process.cwd())
  const metadata = await openMetadata(config)
  try {
    if (await hasUsers(metadata)) throw new UsageError('owner link: there is an account already')
    console.log(`${config.baseUrl}/setup?token=${await createOwnerLink(metadata)}`)
  } finally {
    await metadata.close()
  }
}
