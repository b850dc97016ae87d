import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

export interface MonitorRow {
  readonly id: number
  readonly project_id: number
  readonly slug: string
  readonly name: string
  /** JSON */
  readonly config: string
  readonly created_at: number
}

/** The state of a monitor in one environment. */
export interface MonitorState {
  readonly monitor_id: number
  readonly name: string
  readonly status: string
  readonly last_check_in_at: number
}

/** The monitors of some projects, and their states. */
export async function listMonitors(
  metadata: Metadata,
  projectIds: readonly number[],
): Promise<{ readonly rows: readonly MonitorRow[]; readonly states: readonly MonitorState[] }> {
  const rows = await metadata.all<MonitorRow>(
    `select id, project_id, slug, name, config, created_at from monitors
     where project_id in (${placeholders(projectIds)}) order by slug, id limit 1000`,
    ...projectIds,
  )
  const ids = rows.map((row) => row.id)
  const states = await metadata.all<MonitorState>(
    `select monitor_id, name, status, last_check_in_at from monitor_environments
     where monitor_id in (${placeholders(ids)}) order by name`,
    ...ids,
  )
  return { rows, states }
}
