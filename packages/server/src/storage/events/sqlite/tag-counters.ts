import type { Connection } from './connection.ts'
import { limits } from './limits.ts'
import type { TagDictionary, TagPair } from './tag-dictionary.ts'

/** The number of events of one hash that carried this pair on that day. */
export interface TagCount {
  readonly pair: TagPair
  /** UTC day of the events' timestamps. */
  readonly day: number
  readonly count: number
}

interface HashOfProject {
  readonly hashId: number
  readonly projectId: number
}

/**
 * Counts tag values per grouping hash and day. The first values of a key have their own counters,
 * and further ones share that of the rest. A value without events gives its place back. An event
 * counted with the rest, whose value got a place later, may be subtracted from that value's
 * counter: sums stay right, but the split is then approximate.
 */
export interface TagCounters {
  add(hash: HashOfProject, tag: TagCount): void
  subtract(hash: HashOfProject, tag: TagCount): void
  reset(): void
}

export function openTagCounters(connection: Connection, dictionary: TagDictionary): TagCounters {
  let entries = 0
  const admitted = new Map<number, Set<number>>()

  function remember(hashId: number, pairId: number): void {
    if (entries++ >= limits.cacheEntriesMax) {
      admitted.clear()
      entries = 1
    }
    const pairs = admitted.get(hashId)
    if (pairs === undefined) admitted.set(hashId, new Set([pairId]))
    else pairs.add(pairId)
  }

  /** Returns the pair to count by: the given one, or the one for the rest. */
  function admit({ hashId, projectId }: HashOfProject, pair: TagPair): number {
    if (admitted.get(hashId)?.has(pair.id) === true) return pair.id
    if (!hasCounter(connection, hashId, pair.id)) {
      if (!takePlace(connection, hashId, pair.key)) return dictionary.restOf(projectId, pair.key).id
    }
    remember(hashId, pair.id)
    return pair.id
  }

  return {
    add(hash, tag) {
      connection.run(
        `insert into tag_counts (hash_id, pair_id, day, count) values (?, ?, ?, ?)
         on conflict do update set count = count + excluded.count`,
        hash.hashId,
        admit(hash, tag.pair),
        tag.day,
        tag.count,
      )
    },
    subtract({ hashId, projectId }, tag) {
      const taken = takeFrom(connection, hashId, tag)
      if (taken < tag.count) {
        const pair = dictionary.restOf(projectId, tag.pair.key)
        takeFrom(connection, hashId, { pair, day: tag.day, count: tag.count - taken })
      }
      if (taken === 0 || hasCounter(connection, hashId, tag.pair.id)) return
      admitted.get(hashId)?.delete(tag.pair.id)
      connection.run(
        'update tag_value_counts set value_count = value_count - 1 where hash_id = ? and key = ?',
        hashId,
        tag.pair.key,
      )
    },
    reset() {
      admitted.clear()
      entries = 0
    },
  }
}

function hasCounter(connection: Connection, hashId: number, pairId: number): boolean {
  const sql = 'select 1 from tag_counts where hash_id = ? and pair_id = ? limit 1'
  return connection.get(sql, hashId, pairId) !== undefined
}

/** Takes one of the places of a key within a hash; returns false when all are taken. */
function takePlace(connection: Connection, hashId: number, key: string): boolean {
  const taken = connection.get(
    'select value_count from tag_value_counts where hash_id = ? and key = ?',
    hashId,
    key,
  )?.['value_count']
  if (Number(taken ?? 0) >= limits.tagValuesPerHashMax) return false
  connection.run(
    `insert into tag_value_counts (hash_id, key, value_count) values (?, ?, 1)
     on conflict do update set value_count = value_count + 1`,
    hashId,
    key,
  )
  return true
}

/** Takes up to `count` from a counter; returns how many it had. */
function takeFrom(connection: Connection, hashId: number, tag: TagCount): number {
  const place = [hashId, tag.pair.id, tag.day] as const
  const where = 'where hash_id = ? and pair_id = ? and day = ?'
  const had = Number(
    connection.get(`select count from tag_counts ${where}`, ...place)?.['count'] ?? 0,
  )
  if (had > tag.count) {
    connection.run(`update tag_counts set count = count - ? ${where}`, tag.count, ...place)
  } else if (had > 0) {
    connection.run(`delete from tag_counts ${where}`, ...place)
  }
  return Math.min(had, tag.count)
}
