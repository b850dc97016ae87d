/** Builds the shop, once for each state of its sources, its DSN and its kind of page names. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const shopFolder = fileURLToPath(new URL('.', import.meta.url))

const root = join(shopFolder, '../..')
const SOURCES = [
  'examples/shop',
  ...['next', 'browser', 'replay', 'protocol'].map((name) => `packages/${name}/src`),
]
const NOT_SOURCES = /^(node_modules|\.next|next-env\.d\.ts|README\.md)$|\.test\.ts$/
const BUILDS_MAX = 4

export interface ShopBuild {
  /** Only its key and project matter: the tunnel's own configuration says where the server is. */
  readonly dsn: string
  /** `scan` names pages by their routes, `''` by their paths. */
  readonly routes?: 'scan' | ''
}

/** Returns the build's folder, relative to the shop's. */
export async function buildShop({ dsn, routes = '' }: ShopBuild): Promise<string> {
  const hash = createHash('sha256').update(`${dsn}\0${routes}`)
  for (const source of SOURCES) addTo(hash, join(root, source))
  const build = `.next/builds/${hash.digest('hex').slice(0, 16)}`
  const stamp = join(shopFolder, build, 'complete')
  if (existsSync(stamp)) return build
  const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: shopFolder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AFTERIMAGE_DSN: dsn,
      SHOP_BUILD: build,
      SHOP_ROUTES: routes,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The shop could not be built:\n${printed.slice(-4000)}`)
  writeFileSync(stamp, printed)
  forgetOldBuilds()
  return build
}

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  if (!statSync(path).isDirectory()) {
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (!NOT_SOURCES.test(name)) addTo(hash, join(path, name))
  }
}

function forgetOldBuilds(): void {
  const folder = join(shopFolder, '.next/builds')
  const builds = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of builds.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true })
}
