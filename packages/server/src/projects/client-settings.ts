import { readClientSettings, type ClientSettings } from '@afterimage/protocol/client-settings'
import { isJsonObject, parseJson, type JsonObject } from '@afterimage/protocol/json'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'

/** Returns the settings that clients of a project ask for; without members where nothing is set. */
export async function findClientSettings(
  metadata: MetadataReader,
  projectId: number,
): Promise<ClientSettings> {
  return readClientSettings((await settingsOf(metadata, projectId))['client'])
}

/** Replaces the settings that clients of a project ask for; its other settings stay. */
export async function saveClientSettings(
  metadata: Metadata,
  projectId: number,
  client: ClientSettings,
): Promise<void> {
  await metadata.transaction(async (tx) => {
    const settings = { ...(await settingsOf(tx, projectId)), client }
    await tx.all(
      'update projects set settings = ? where id = ?',
      JSON.stringify(settings),
      projectId,
    )
  })
}

async function settingsOf(metadata: MetadataReader, projectId: number): Promise<JsonObject> {
  const sql = 'select settings from projects where id = ?'
  const [row] = await metadata.all<{ settings: string }>(sql, projectId)
  const json = parseJson(row?.settings ?? '{}')
  return !isRefusal(json) && isJsonObject(json.value) ? json.value : {}
}
