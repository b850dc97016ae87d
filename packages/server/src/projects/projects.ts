import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { requestRemoval } from '../retention/removals.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'

/** Projects of one server: each is a row in menus, and a poll of ingest reads every key. */
const PROJECTS_MAX = 10_000
const KEYS_PER_PROJECT_MAX = 50

/** The id of the project that the console reports to, apart from the ids counted from 1. */
export const selfProjectId = 2_000_000_000

export interface NewProject {
  /** Lower-case letters, digits, `-` and `_`; not all digits, since ids are accepted where slugs are. */
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  /** Taken over from another server; the next free one when not given. */
  readonly id?: number
  /** Public keys taken over, 32 hex each; a new one when not given. */
  readonly keys?: readonly string[]
}

export interface ProjectAddress {
  readonly id: string
  readonly slug: string
  /** The DSN of its first active key; empty when it has none. */
  readonly dsn: string
}

/**
 * Makes a project with its keys. Used by the command line and by the API.
 * @throws INPUT_INVALID naming the field that is wrong or taken
 */
export async function createProject(
  metadata: Metadata,
  config: Pick<Config, 'baseUrl'>,
  project: NewProject,
): Promise<ProjectAddress> {
  const keys = project.keys?.length ? project.keys : [newPublicKey()]
  checkProject(project, keys)
  const id = await metadata.transaction(async (tx) => {
    await checkFree(tx, project, keys)
    const now = Date.now()
    const id = project.id ?? (await nextProjectId(tx))
    if (id !== selfProjectId) {
      await tx.all(
        'update organizations set last_project_id = ? where id = 1 and last_project_id < ?',
        id,
        id,
      )
    }
    await tx.all(
      'insert into projects (id, slug, name, platform, created_at) values (?, ?, ?, ?, ?)',
      id,
      project.slug,
      project.name,
      project.platform,
      now,
    )
    for (const key of keys) await insertKey(tx, { key, projectId: id, label: 'Default', now })
    return id
  })
  return {
    id: String(id),
    slug: project.slug,
    dsn: dsnOf({ baseUrl: config.baseUrl, publicKey: keys[0] ?? '', projectId: id }),
  }
}

/** Every project with its DSN, by slug. */
export async function listProjects(
  metadata: Metadata,
  config: Pick<Config, 'baseUrl'>,
): Promise<readonly ProjectAddress[]> {
  const rows = await metadata.all<{ id: number; slug: string; public_key: string | null }>(
    `select p.id, p.slug,
       (select k.public_key from project_keys k where k.project_id = p.id and k.is_active = 1
        order by k.created_at, k.public_key limit 1) as public_key
     from projects p order by p.slug limit ${PROJECTS_MAX}`,
  )
  return rows.map(({ id, slug, public_key: publicKey }) => ({
    id: String(id),
    slug,
    dsn: publicKey === null ? '' : dsnOf({ baseUrl: config.baseUrl, publicKey, projectId: id }),
  }))
}

/** Adds a key to a project and returns it. @throws INPUT_INVALID when it has too many */
export async function createProjectKey(
  metadata: Metadata,
  key: { readonly projectId: number; readonly label: string },
): Promise<string> {
  const publicKey = newPublicKey()
  await metadata.transaction(async (tx) => {
    const [count] = await tx.all<{ n: number }>(
      'select count(*) as n from project_keys where project_id = ?',
      key.projectId,
    )
    if ((count?.n ?? 0) >= KEYS_PER_PROJECT_MAX) {
      throw invalid(`a project has at most ${KEYS_PER_PROJECT_MAX} keys`)
    }
    await insertKey(tx, {
      key: publicKey,
      projectId: key.projectId,
      label: key.label,
      now: Date.now(),
    })
  })
  return publicKey
}

/** Changes how a project is called. False when another one has the slug. */
export async function changeProject(
  metadata: Metadata,
  projectId: number,
  to: { readonly name: string; readonly slug: string; readonly platform: string | null },
): Promise<boolean> {
  return metadata.transaction(async (tx) => {
    const taken = await tx.all(
      'select 1 from projects where slug = ? and id <> ?',
      to.slug,
      projectId,
    )
    if (taken.length > 0) return false
    await tx.all(
      'update projects set name = ?, slug = ?, platform = ? where id = ?',
      to.name,
      to.slug,
      to.platform,
      projectId,
    )
    return true
  })
}

/** Deletes a project with its keys, issues and settings, and asks for what it reported to go too. */
export async function removeProject(metadata: Metadata, projectId: number): Promise<void> {
  await metadata.transaction(async (tx) => {
    await tx.all('delete from projects where id = ?', projectId)
    await requestRemoval(tx, { type: 'project', projectId }, Date.now())
  })
}

/** The address an SDK is given: `https://<key>@<host>/<base path>/<project id>`. */
export function dsnOf(parts: {
  readonly baseUrl: string
  readonly publicKey: string
  readonly projectId: number
}): string {
  const url = new URL(parts.baseUrl)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.protocol}//${parts.publicKey}@${url.host}${path}/${parts.projectId}`
}

/** Returns the problem with a slug, or null. */
export function slugProblem(slug: string): string | null {
  if (!/^[a-z0-9](?:[a-z0-9_-]{0,48}[a-z0-9])?$/.test(slug)) {
    return `slug: "${slug.slice(0, 60)}" must be 1 to 50 lower-case letters, digits, "-" or "_", and begin and end with a letter or digit`
  }
  if (/^\d+$/.test(slug)) return `slug: "${slug}" must not be only digits`
  return null
}

function checkProject(project: NewProject, keys: readonly string[]): void {
  const problem = slugProblem(project.slug)
  if (problem !== null) throw invalid(problem)
  const name = project.name.trim()
  if (name === '' || name.length > 200) throw invalid('name: must have 1 to 200 characters')
  if (project.platform !== null && !/^[a-z0-9._-]{1,64}$/i.test(project.platform)) {
    throw invalid('platform: must be 1 to 64 letters, digits, ".", "_" or "-"')
  }
  if (project.id !== undefined && !(Number.isSafeInteger(project.id) && project.id > 0)) {
    throw invalid(`id: ${project.id} is not a positive whole number`)
  }
  if (keys.length > KEYS_PER_PROJECT_MAX) {
    throw invalid(`keys: a project has at most ${KEYS_PER_PROJECT_MAX} keys`)
  }
  for (const key of keys) {
    if (!/^[0-9a-f]{32}$/.test(key))
      throw invalid(`key: "${key.slice(0, 40)}" is not 32 hex digits`)
  }
}

async function checkFree(
  tx: MetadataReader,
  project: NewProject,
  keys: readonly string[],
): Promise<void> {
  const taken = await tx.all<{ id: number; slug: string }>(
    'select id, slug from projects where slug = ? or id = ?',
    project.slug,
    project.id ?? -1,
  )
  if (taken.some((row) => row.slug === project.slug)) {
    throw invalid(`slug: a project "${project.slug}" exists already`)
  }
  if (taken.length > 0) throw invalid(`id: project ${project.id} exists already`)
  for (const key of new Set(keys)) {
    const rows = await tx.all('select 1 from project_keys where public_key = ?', key)
    if (rows.length > 0) throw invalid(`key: ${key} belongs to a project already`)
  }
  if (new Set(keys).size < keys.length) throw invalid('key: given twice')
  const [count] = await tx.all<{ n: number }>('select count(*) as n from projects')
  if ((count?.n ?? 0) >= PROJECTS_MAX) {
    throw invalid(`this server has its ${PROJECTS_MAX} projects already`)
  }
}

async function nextProjectId(tx: MetadataReader): Promise<number> {
  const [row] = await tx.all<{ last: number; greatest: number }>(
    `select last_project_id as last,
       coalesce((select max(id) from projects where id <> ?), 0) as greatest
     from organizations where id = 1`,
    selfProjectId,
  )
  const next = Math.max(row?.last ?? 0, row?.greatest ?? 0) + 1
  return next === selfProjectId ? next + 1 : next
}

async function insertKey(
  tx: MetadataReader,
  row: {
    readonly key: string
    readonly projectId: number
    readonly label: string
    readonly now: number
  },
): Promise<void> {
  await tx.all(
    `insert into project_keys (public_key, project_id, label, is_active, created_at)
     values (?, ?, ?, 1, ?)`,
    row.key,
    row.projectId,
    row.label,
    row.now,
  )
}

function newPublicKey(): string {
  return randomBytes(16).toString('hex')
}

function invalid(message: string): AppError {
  return new AppError('INPUT_INVALID', message)
}
