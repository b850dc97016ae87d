import type { MetadataReader } from '../storage/metadata/port.ts'

/** The public keys that may send, as known to the front door. */
export interface ProjectKeys {
  /** Null when no project is known to have the key. */
  find(publicKey: string): KnownKey | null
  /** Tells whether a project with this id is known to have a key. */
  hasProject(id: number): boolean
  /**
   * Asks the store for a key that `find` does not know; afterwards `find` knows whether it exists.
   * Null when there is nothing to ask: the key is known, or too many strangers have been asked for.
   * Rejects when the store cannot be asked.
   */
  learn(publicKey: string): Promise<void> | null
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

/** A paused or deleted key ends within this, and the time one reading takes. */
const pollMs = 500

/** Keys that the store is asked for between two readings, so that made-up ones cannot keep it busy. */
const askedKeysMax = 1000

/**
 * Reads all keys now and again every half second, so that a known key waits for no database; a key
 * that was made since is asked for once. When a reading fails, what was read before goes on holding
 * and `onFailure` is told.
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
  /** Keys looked up since the last reading, found or not. */
  const asked = new Map<string, Promise<void>>()
  const poll = async (): Promise<void> => {
    try {
      known = await readKeys(metadata)
      readAt = Date.now()
    } catch (cause) {
      if (!isClosed) onFailure(cause)
    }
    asked.clear()
    if (!isClosed) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => void poll(), pollMs).unref()
  }
  const ask = async (publicKey: string): Promise<void> => {
    const found = await readKeys(metadata, publicKey)
    for (const [name, key] of found) known.set(name, key)
  }
  schedule()
  return {
    find: (publicKey) => known.get(publicKey) ?? null,
    hasProject: (id) => known.values().some((key) => key.projectId === id),
    learn: (publicKey) => {
      if (known.has(publicKey)) return null
      const before = asked.get(publicKey)
      if (before !== undefined) return before
      if (asked.size >= askedKeysMax) return null
      const answer = ask(publicKey)
      asked.set(publicKey, answer)
      return answer
    },
    get readAt() {
      return readAt
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** All keys, or the one that is named. */
async function readKeys(
  metadata: MetadataReader,
  publicKey?: string,
): Promise<Map<string, KnownKey>> {
  const columns = 'select public_key, project_id, is_active from project_keys'
  type Row = { public_key: string; project_id: number; is_active: number }
  const rows =
    publicKey === undefined
      ? await metadata.all<Row>(columns)
      : await metadata.all<Row>(`${columns} where public_key = ?`, publicKey)
  return new Map(
    rows.map((row) => [
      row.public_key,
      { projectId: row.project_id, isActive: row.is_active === 1 },
    ]),
  )
}
