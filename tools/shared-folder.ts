import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the folder of recordings beside a checkout of the project (`../shared/<name>`), or null.
 * Without it, the tests that read it are reported as not run.
 */
export function sharedFolder(name: 'corpus' | 'fixtures'): string | null {
  const path = fileURLToPath(new URL(`../../shared/${name}`, import.meta.url))
  return existsSync(path) ? path : null
}
