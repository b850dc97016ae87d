import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/**
 * The path of a Chromium to drive: `AFTERIMAGE_CHROMIUM`, else one on the PATH, else Debian's own
 * package, installed when this is root on a machine with apt.
 */
export async function ensureBrowser(): Promise<string> {
  const known = process.env.AFTERIMAGE_CHROMIUM ?? findOnPath()
  if (known !== null) return known
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium with apt-get …')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    const installed = findOnPath()
    if (installed !== null) return installed
  }
  throw new Error(
    'The journeys need Chromium and none was found. Install it, or name it in AFTERIMAGE_CHROMIUM.',
  )
}

function findOnPath(): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name)
      if (existsSync(path)) return path
    }
  }
  return null
}
