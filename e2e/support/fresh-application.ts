import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sdk } from '../../packages/sdk-core/src/version.ts'
import { until } from './until.ts'

/** Applications of a few files, which install our packages from the server as anybody does. */

/** Writes an application into a folder of its own below `folder`, and returns that. */
export function writeApplication(
  folder: string,
  name: string,
  files: Readonly<Record<string, string>>,
): string {
  const application = join(folder, name)
  const all = { 'package.json': '{ "private": true, "type": "module" }', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(application, path)), { recursive: true })
    writeFileSync(join(application, path), text)
  }
  return application
}

/** Runs a program to its end. @throws Error with what it printed, when it fails */
export async function run(
  cwd: string,
  program: string,
  ...parameters: readonly string[]
): Promise<void> {
  const options = { cwd, env: { ...process.env, NODE_ENV: 'production' as const } }
  await promisify(execFile)(program, [...parameters], options).catch((error: unknown) => {
    const { message, stdout = '' } = error as Error & { stdout?: string }
    throw new Error(`${message}\n${stdout}`, { cause: error })
  })
}

export interface Installed {
  readonly application: string
  /** Names of our packages, which the server offers. */
  readonly ours: readonly string[]
  /** Others in the versions that the repository has, or with a version. */
  readonly others?: readonly string[]
}

/** Installs packages of ours from the server at `url`, and others from where npm has them. */
export async function install(url: string, given: Installed): Promise<void> {
  const { application, ours, others = [] } = given
  const addresses = ours.map((it) => `${url}/npm/afterimage-${it}-${sdk.version}.tgz`)
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run(application, 'npm', 'install', ...flags, ...addresses, ...others.map(asInstalledHere))
}

/** `vite` → `vite@8.3.8`, which npm has kept since it installed the repository. */
function asInstalledHere(name: string): string {
  if (name.lastIndexOf('@') > 0) return name
  const folder = ['node_modules', 'e2e/sdks/node_modules'].find((it) => existsSync(join(it, name)))
  return `${name}@${versionOf(join(folder ?? '', name))}`
}

/** Reads the version of an installed package. */
export function versionOf(folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Starts a script of an application; resolves when it says that it is ready. */
export async function startScript(
  cwd: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, parameters, { cwd, env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  try {
    await until('the application is ready', () => {
      if (child.exitCode !== null) throw new Error('it ended')
      return /ready|listening|-serve\] http|➜/i.test(printed)
    })
    return child
  } catch (error) {
    child.kill()
    throw new Error(`The application does not start:\n${printed}`, { cause: error })
  }
}
