import { readFileSync } from 'node:fs'
import { selfProjectSlug, type SelfMonitoring } from '@afterimage/protocol/self-monitoring'
import type { Config } from '../config.ts'
import { createProject, createProjectKey, dsnOf, selfProjectId } from '../projects/projects.ts'
import type { Metadata } from '../storage/metadata/port.ts'

/** Facts for the server's half of the console, beside those of its pages. */
export interface SelfMonitoringOfServer extends SelfMonitoring {
  /** Origin of the front door as seen from this machine: the public address may not lead back here. */
  readonly server: string
}

/**
 * Makes sure that the project the console reports to exists with a key, and returns what the console
 * needs for it. Null when it is switched off, or when somebody paused all of the project's keys.
 * Only what the console itself throws is reported, never what happens to a report while it is
 * processed: a report cannot bring about another.
 */
export async function prepareSelfMonitoring(
  config: Config,
  metadata: Metadata,
  { isDevelopment }: { readonly isDevelopment: boolean },
): Promise<SelfMonitoringOfServer | null> {
  if (!config.isSelfMonitored) return null
  const projectId = await selfProjectOf(metadata, config)
  const publicKey = await activeKeyOf(metadata, projectId)
  if (publicKey === null) return null
  return {
    dsn: dsnOf({ baseUrl: config.baseUrl, publicKey, projectId }),
    tunnelPath: config.tunnelPath,
    release: `afterimage@${version()}`,
    environment: isDevelopment ? 'development' : 'production',
    server: frontDoorOf(config),
  }
}

async function selfProjectOf(metadata: Metadata, config: Config): Promise<number> {
  const find = () =>
    metadata.all<{ id: number }>('select id from projects where slug = ?', selfProjectSlug)
  const [found] = await find()
  if (found !== undefined) return found.id
  const [taken] = await metadata.all('select 1 from projects where id = ?', selfProjectId)
  const project = {
    slug: selfProjectSlug,
    name: 'Afterimage itself',
    platform: 'javascript',
    ...(taken === undefined && { id: selfProjectId }),
  }
  try {
    return Number((await createProject(metadata, config, project)).id)
  } catch (error) {
    // Another web role may have made it in the meantime.
    const [made] = await find()
    if (made !== undefined) return made.id
    throw error
  }
}

/** The first key that is not paused; a new one for a project that has none at all. */
async function activeKeyOf(metadata: Metadata, projectId: number): Promise<string | null> {
  const keys = await metadata.all<{ public_key: string; is_active: number }>(
    'select public_key, is_active from project_keys where project_id = ? order by created_at, public_key',
    projectId,
  )
  if (keys.length === 0) return createProjectKey(metadata, { projectId, label: 'Default' })
  return keys.find((key) => key.is_active === 1)?.public_key ?? null
}

/** Returns the front door's address; where `web` runs apart only the public one is known. */
function frontDoorOf({ web, host, port, baseUrl }: Config): string {
  if ('url' in web) return baseUrl
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
