import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { sdk } from '../packages/sdk-core/src/version.ts'
import { packageNames } from '../tools/build/package-layout.ts'
import { buildPackages } from '../tools/build/packages.ts'

/** The packed packages, as the tools that look at packages see them. */

async function run(program: string, ...parameters: readonly string[]): Promise<void> {
  await promisify(execFile)(program, [...parameters]).catch((error: unknown) => {
    const { message, stdout = '' } = error as Error & { stdout?: string }
    throw new Error(`${message}\n${stdout}`, { cause: error })
  })
}

test.each(packageNames)('publint and attw find nothing wrong in @afterimage/%s', async (name) => {
  const tarball = join(await buildPackages(() => {}), `afterimage-${name}-${sdk.version}.tgz`)
  await run('node_modules/.bin/publint', tarball, '--strict')
  // ES modules only: `require` reads them since Node 20.19, resolvers before `exports` never.
  await run('node_modules/.bin/attw', tarball, '--profile', 'esm-only', '--no-color')
})
