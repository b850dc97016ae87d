import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const owner = { email: 'owner@example.test', password: 'correct horse battery' }

/** The started product on a directory of its own, as `npm start` starts it. */
export interface Product {
  readonly url: string
  readonly dataDir: string
  /** A bearer token of the API. */
  readonly token: string
  /** Everything it has printed so far. */
  output(): string
  /** The process id of the supervisor. */
  readonly pid: number
  /** The process ids of its roles, as the kernel knows them: children of the supervisor. */
  rolePids(): Promise<ReadonlyMap<string, number>>
  createProject(
    slug: string,
    options?: { id?: string; keys?: readonly string[]; platform?: string },
  ): Promise<Project>
  /** Runs an `afterimage` command on its data directory, and returns what that prints. */
  run(parameters: readonly string[]): Promise<string>
  /** `GET` below `/api/0/` with the token; throws unless it answers 2xx. */
  api<T>(path: string): Promise<T>
  /** All pages of a list, by its `Link` headers; the rows stand under `data` or are the answer itself. */
  apiAll<T>(path: string): Promise<readonly T[]>
  /** SIGTERM, and its exit code. The data directory stays until `remove`. */
  stop(): Promise<number | null>
  remove(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Project {
  readonly id: string
  readonly slug: string
  readonly dsn: string
}

interface StartOptions {
  /** An earlier product's directory, to start on its data. */
  readonly dataDir?: string
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the product and waits until it says it is ready. */
export async function startProduct(options: StartOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'afterimage-e2e-')))
  const port = options.port ?? (await freePort())
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    AFTERIMAGE_DATA_DIR: dataDir,
    AFTERIMAGE_OWNER_EMAIL: owner.email,
    AFTERIMAGE_OWNER_PASSWORD: owner.password,
    AFTERIMAGE_LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...options.environment,
  }
  const child = spawn(process.execPath, ['tools/run.mjs', 'start.ts'], {
    cwd: root,
    env: environment,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await until(
    'the product says where it is',
    () => {
      if (child.exitCode !== null) throw new Error(`The product ended:\n${output}`)
      return output.includes('Afterimage is at')
    },
    120_000,
  )
  const url = `http://localhost:${port}`
  const { token } = await cli<{ token: string }>(
    ['token', 'create', '--name', 'e2e', '--json'],
    environment,
  )
  return {
    url,
    dataDir,
    token,
    pid: child.pid ?? 0,
    output: () => output,
    rolePids: () => childrenOf(child.pid ?? 0),
    run: (parameters) => run(parameters, environment),
    createProject: (slug, { id, keys = [], platform } = {}) =>
      cli<Project>(
        [
          'project',
          'create',
          slug,
          '--json',
          ...(id === undefined ? [] : ['--id', id]),
          ...(platform === undefined ? [] : ['--platform', platform]),
          ...keys.flatMap((key) => ['--key', key]),
        ],
        environment,
      ),
    api: async <T>(path: string) => (await apiRequest(url, token, path)).answer as T,
    apiAll: <T>(path: string) => allPages<T>(url, token, path),
    stop: () => stop(child),
    remove: () => rm(dataDir, { recursive: true, force: true }),
    [Symbol.asyncDispose]: async () => {
      await stop(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function allPages<T>(url: string, token: string, path: string): Promise<readonly T[]> {
  const rows: T[] = []
  for (let next: string | null = path; next !== null;) {
    const page = await apiRequest(url, token, next)
    rows.push(...(Array.isArray(page.answer) ? page.answer : (page.answer as { data: T[] }).data))
    next = page.next
  }
  return rows
}

interface ApiAnswer {
  readonly answer: unknown
  /** The address of the next page; null after the last. */
  readonly next: string | null
}

async function apiRequest(url: string, token: string, path: string): Promise<ApiAnswer> {
  const response = await fetch(new URL(path, `${url}/api/0/`), {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  if (!response.ok) {
    throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  }
  const link = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get('link') ?? '')
  return { answer: JSON.parse(text), next: link?.[1] ?? null }
}

async function cli<T>(parameters: readonly string[], environment: NodeJS.ProcessEnv): Promise<T> {
  return JSON.parse(await run(parameters, environment)) as T
}

async function run(parameters: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['packages/cli/src/index.ts', ...parameters],
    { cwd: root, env: environment },
  )
  return stdout
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  return child.exitCode
}

/** Role name → process id, read from the kernel's table. */
async function childrenOf(pid: number): Promise<ReadonlyMap<string, number>> {
  const pids = new Map<string, number>()
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const child of children.split(' ').filter((part) => part !== '')) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    const role = /packages\/cli\/src\/index\.ts\0(\w+)/.exec(line)?.[1]
    if (role !== undefined) pids.set(role, Number(child))
  }
  return pids
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
