import type { MetadataReader } from '../storage/metadata/port.ts'

/** The public keys that may send, as known to the front door. */
export interface ProjectKeys {
  /** Null when no project has the key. */
  find(publicKey: string): KnownKey | null
}

export interface KnownKey {
  readonly projectId: number
  readonly isActive: boolean
}

export interface PolledProjectKeys extends ProjectKeys {
  /** Milliseconds since the epoch of the last successful reading. */
  readonly readAt: number
  close(): void
}

/** A new key works within a second: this, and the time one reading takes. */
const pollMs = 500

/**
 * Reads all keys now and again every half second, so that no request waits for a database. When a
 * reading fails, what was read before goes on holding and `onFailure` is told.
 * @throws STORAGE_FAILED when the first reading fails
 */
export async function pollProjectKeys(
  metadata: MetadataReader,
  onFailure: (cause: unknown) => void,
): Promise<PolledProjectKeys> {
  let known = await readKeys(metadata)
  let readAt = Date.now()
  let isClosed = false
  let timer: NodeJS.Timeout
  const poll = async (): Promise<void> => {
    try {
      known = await readKeys(metadata)
      readAt = Date.now()
    } catch (cause) {
      if (!isClosed) onFailure(cause)
    }
    if (!isClosed) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => void poll(), pollMs).unref()
  }
  schedule()
  return {
    find: (publicKey) => known.get(publicKey) ?? null,
    get readAt() {
      return readAt
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

async function readKeys(metadata: MetadataReader): Promise<Map<string, KnownKey>> {
  const rows = await metadata.all<{ public_key: string; project_id: number; is_active: number }>(
    'select public_key, project_id, is_active from project_keys',
  )
  return new Map(
    rows.map((row) => [
      row.public_key,
      { projectId: row.project_id, isActive: row.is_active === 1 },
    ]),
  )
}
