import { parseArgs } from 'node:util'
import { readConfig } from '@afterimage/server/config'
import { readEnv } from '@afterimage/server/env'
import { openMetadata } from '@afterimage/server/storage/open'
import { tokenRights, type TokenRight } from '@afterimage/server/auth/rights'
import { createToken } from '@afterimage/server/auth/tokens'
import { UsageError } from './usage-error.ts'

/** Runs `token create --name ci [--right read]…`: prints a new API token once; only its hash is stored. */
export async function token(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      right: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
    },
  })
  if (positionals[0] !== 'create') throw new UsageError('token: give "create"')
  if (values.name === undefined) throw new UsageError('token create: give --name')
  const config = readConfig(readEnv(process.env), process.cwd())
  const metadata = await openMetadata(config)
  try {
    const secret = await createToken(metadata, {
      name: values.name,
      ...(values.right === undefined ? {} : { scopes: values.right.map(rightOf) }),
    })
    console.log(values.json ? JSON.stringify({ token: secret }) : secret)
  } finally {
    await metadata.close()
  }
}

function rightOf(name: string): TokenRight {
  const right = tokenRights.find((it) => it === name)
  if (right !== undefined) return right
  throw new UsageError(`--right: "${name}" is not one of ${tokenRights.join(', ')}`)
}
