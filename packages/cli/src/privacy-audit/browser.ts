import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { BrowserType } from 'playwright-core'
import { UsageError } from '../usage-error.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Playwright's driver of Chromium. @throws UsageError where it is not installed */
export async function loadDriver(): Promise<BrowserType> {
  try {
    return (await import('playwright-core')).chromium
  } catch {
    throw new UsageError(
      'privacy-audit drives a browser through playwright-core, which is not installed here: npm install playwright-core',
    )
  }
}

/** The path of a Chromium: given, of `AFTERIMAGE_CHROMIUM`, or on the PATH. @throws UsageError where there is none */
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
    'privacy-audit needs Chromium and none was found. Install it, or name it with --chromium or in AFTERIMAGE_CHROMIUM.',
  )
}
