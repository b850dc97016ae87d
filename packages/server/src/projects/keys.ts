import type { Metadata } from '../storage/metadata/port.ts'

/** A key with which SDKs send to a project. */
export interface ProjectKey {
  readonly public_key: string
  readonly label: string
  readonly is_active: number
  readonly created_at: number
}

/** The keys of a project, the oldest first. */
export async function listKeys(
  metadata: Metadata,
  projectId: number,
): Promise<readonly ProjectKey[]> {
  return metadata.all<ProjectKey>(
    `select public_key, label, is_active, created_at from project_keys
     where project_id = ? order by created_at, public_key`,
    projectId,
  )
}

/** Changes a key; undefined members stay. Returns false when the project has no such key. */
export async function changeKey(
  metadata: Metadata,
  key: { readonly projectId: number; readonly publicKey: string },
  to: { readonly isActive: boolean | undefined; readonly label: string | undefined },
): Promise<boolean> {
  const changed = await metadata.all(
    `update project_keys set is_active = coalesce(?, is_active), label = coalesce(?, label)
     where project_id = ? and public_key = ? returning public_key`,
    to.isActive === undefined ? null : Number(to.isActive),
    to.label ?? null,
    key.projectId,
    key.publicKey,
  )
  return changed.length > 0
}
