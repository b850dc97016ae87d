import type { MonitorEffect, OutboxEntry } from '../storage/events/port.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { ENVIRONMENTS_PER_MONITOR_MAX, MONITORS_PER_PROJECT_MAX } from '../issues/limits.ts'

/**
 * Makes the monitors that check-ins name, keeps the newest configuration they brought and, for
 * each environment, the status of the newest check-in.
 */
export async function applyMonitorEffects(
  tx: MetadataReader,
  entries: readonly OutboxEntry[],
): Promise<void> {
  for (const { projectId, effect } of entries) {
    if (effect.type !== 'monitor') continue
    const monitorId = await upsertMonitor(tx, projectId, effect)
    if (monitorId !== null) await recordStatus(tx, monitorId, effect)
  }
}

async function upsertMonitor(
  tx: MetadataReader,
  projectId: number,
  effect: MonitorEffect,
): Promise<number | null> {
  const at = Math.round(effect.timestamp)
  const [known] = await tx.all<{ id: number; config_at: number; created_at: number }>(
    'select id, config_at, created_at from monitors where project_id = ? and slug = ?',
    projectId,
    effect.slug,
  )
  if (known === undefined) return createMonitor(tx, projectId, effect)
  if (known.created_at > at) {
    await tx.all('update monitors set created_at = ? where id = ?', at, known.id)
  }
  if (effect.config !== null && at >= known.config_at) {
    await tx.all(
      'update monitors set config = ?, config_at = ? where id = ?',
      JSON.stringify(effect.config),
      at,
      known.id,
    )
  }
  return known.id
}

async function createMonitor(
  tx: MetadataReader,
  projectId: number,
  effect: MonitorEffect,
): Promise<number | null> {
  const [count] = await tx.all<{ n: number }>(
    'select count(*) as n from monitors where project_id = ?',
    projectId,
  )
  if ((count?.n ?? 0) >= MONITORS_PER_PROJECT_MAX) return null
  const at = Math.round(effect.timestamp)
  const [made] = await tx.all<{ id: number }>(
    `insert into monitors (project_id, slug, name, config, config_at, created_at)
     values (?, ?, ?, ?, ?, ?) returning id`,
    projectId,
    effect.slug,
    effect.slug,
    JSON.stringify(effect.config ?? {}),
    effect.config === null ? 0 : at,
    at,
  )
  return made?.id ?? null
}

async function recordStatus(
  tx: MetadataReader,
  monitorId: number,
  effect: MonitorEffect,
): Promise<void> {
  const at = Math.round(effect.timestamp)
  const [known] = await tx.all<{ status: string; last_check_in_at: number }>(
    'select status, last_check_in_at from monitor_environments where monitor_id = ? and name = ?',
    monitorId,
    effect.environment,
  )
  if (known === undefined) {
    const [count] = await tx.all<{ n: number }>(
      'select count(*) as n from monitor_environments where monitor_id = ?',
      monitorId,
    )
    if ((count?.n ?? 0) >= ENVIRONMENTS_PER_MONITOR_MAX) return
    await tx.all(
      `insert into monitor_environments (monitor_id, name, status, last_check_in_at)
       values (?, ?, ?, ?)`,
      monitorId,
      effect.environment,
      effect.status,
      at,
    )
    return
  }
  const isNewer =
    at > known.last_check_in_at ||
    (at === known.last_check_in_at && rankOf(effect.status) > rankOf(known.status))
  if (!isNewer) return
  await tx.all(
    `update monitor_environments set status = ?, last_check_in_at = ?
     where monitor_id = ? and name = ?`,
    effect.status,
    at,
    monitorId,
    effect.environment,
  )
}

/** Among check-ins of one moment, which one tells more: a finished one, and of those the bad one. */
function rankOf(status: string): number {
  return ['in_progress', 'ok', 'error'].indexOf(status)
}
