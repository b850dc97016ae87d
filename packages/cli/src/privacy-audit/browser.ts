import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { BrowserType } from 'playwright-core'
import { UsageError } from '../usage-error.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Loads Playwright's driver of Chromium. @throws UsageError when it is not installed */
export async function loadDriver(): Promise<BrowserType> {
  try {
    return (await import('playwright-core')).chromium
  } catch {
    throw new UsageError(
      'privacy-audit: playwright-core is not installed. Run: npm install playwright-core',
    )
  }
}

/**
 * Finds Chromium: the given path, `AFTERIMAGE_CHROMIUM`, or the PATH.
 * @throws UsageError when none is found
 */
export function findChromium(given: string | undefined): string {
  const named = given ?? process.env.AFTERIMAGE_CHROMIUM
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new UsageError(`privacy-audit: there is no browser at ${named}`)
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      if (existsSync(path)) return path
    }
  }
  throw new UsageError(
    'privacy-audit: Chromium was not found. Install it, or give its path with --chromium or in AFTERIMAGE_CHROMIUM.',
  )
}
