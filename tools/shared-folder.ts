import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A folder of recordings that lies beside a checkout of the project (`../shared/<name>`), or null
 * where there is none: the tests that read it are then reported as not run.
 */
export function sharedFolder(name: 'corpus' | 'fixtures'): string | null {
  const path = fileURLToPath(new URL(`../../shared/${name}`, import.meta.url))
  return existsSync(path) ? path : null
}
