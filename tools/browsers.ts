import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The programs that the journeys drive: the setting of each, its names on the PATH, and its Debian package. */
const programs = {
  chromium: {
    setting: 'AFTERIMAGE_CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    debian: 'chromium',
  },
  firefox: {
    setting: 'AFTERIMAGE_FIREFOX',
    names: ['firefox-esr', 'firefox'],
    debian: 'firefox-esr',
  },
  webkitDriver: {
    setting: 'AFTERIMAGE_WEBKIT_DRIVER',
    names: ['WebKitWebDriver'],
    debian: 'webkit2gtk-driver',
  },
  /** The screen that WebKitGTK draws on: it cannot do without one. */
  xvfb: { setting: 'AFTERIMAGE_XVFB', names: ['Xvfb'], debian: 'xvfb' },
} as const

export type Program = keyof typeof programs

/** Returns the path of a program: from its setting, else from the PATH; null when it is not there. */
export function findProgram(program: Program): string | null {
  const { setting, names } = programs[program]
  const known = process.env[setting]
  if (known !== undefined) return known
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      if (existsSync(path)) return path
    }
  }
  return null
}

/**
 * Installs the browsers that are missing, when this is root on a machine with apt, and returns the
 * settings that name what is there. Throws without Chromium; the journeys of the other browsers are
 * then reported as not run.
 */
export function ensureBrowsers(): Readonly<Record<string, string>> {
  const all = Object.keys(programs) as Program[]
  const missing = all.filter((it) => findProgram(it) === null)
  if (missing.length > 0) install(missing.map((it) => programs[it].debian))
  if (findProgram('chromium') === null) {
    throw new Error(
      'The journeys need Chromium and none was found. Install it, or name it in AFTERIMAGE_CHROMIUM.',
    )
  }
  return Object.fromEntries(
    all.flatMap((it) => {
      const path = findProgram(it)
      return path === null ? [] : [[programs[it].setting, path]]
    }),
  )
}

function install(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing ${packages.join(', ')} with apt-get …`)
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  // One by one: a distribution may lack one of them.
  for (const name of packages) {
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
}
