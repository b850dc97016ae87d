import type { Connection } from './connection.ts'
import { limits } from './limits.ts'

/** One key and value of a project; rows name it by id. A null value stands for "the rest". */
export interface TagPair {
  readonly id: number
  readonly key: string
}

/** Gives every key and value a small number, and caches recent ones. */
export interface TagDictionary {
  /** Returns the pair, which it creates when new, and notes it as used on that day of receipt. */
  pairOf(projectId: number, key: string, value: string, day: number): TagPair
  /** Returns the pair that stands for all further values of a key. */
  restOf(projectId: number, key: string): TagPair
  /** Empties the cache, after a rollback or when pairs were deleted. */
  reset(): void
}

interface CachedPair extends TagPair {
  lastUsedDay: number
}

export function openTagDictionary(connection: Connection): TagDictionary {
  let entries = 0
  const cache = new Map<number, Map<string, Map<string | null, CachedPair>>>()

  function valuesOf(projectId: number, key: string): Map<string | null, CachedPair> {
    let keys = cache.get(projectId)
    if (keys === undefined) cache.set(projectId, (keys = new Map()))
    let values = keys.get(key)
    if (values === undefined) keys.set(key, (values = new Map()))
    return values
  }

  function load(projectId: number, key: string, value: string | null, day: number): CachedPair {
    const known = connection.get(
      `select id, last_used_day from tag_pairs
       where project_id = ? and key = ? and value collate nocase is ? and value is ?`,
      projectId,
      key,
      value,
      value,
    )
    if (known !== undefined) {
      return { id: Number(known['id']), key, lastUsedDay: Number(known['last_used_day']) }
    }
    const made = connection
      .prepare('insert into tag_pairs (project_id, key, value, last_used_day) values (?, ?, ?, ?)')
      .run(projectId, key, value, day)
    return { id: Number(made.lastInsertRowid), key, lastUsedDay: day }
  }

  function find(projectId: number, key: string, value: string | null, day: number): CachedPair {
    const values = valuesOf(projectId, key)
    let pair = values.get(value)
    if (pair === undefined) {
      if (entries >= limits.cacheEntriesMax) {
        cache.clear()
        entries = 0
      }
      pair = load(projectId, key, value, day)
      valuesOf(projectId, key).set(value, pair)
      entries++
    }
    if (pair.lastUsedDay < day) {
      connection.run('update tag_pairs set last_used_day = ? where id = ?', day, pair.id)
      pair.lastUsedDay = day
    }
    return pair
  }

  return {
    pairOf: find,
    restOf: (projectId, key) => find(projectId, key, null, 0),
    reset: () => {
      cache.clear()
      entries = 0
    },
  }
}
