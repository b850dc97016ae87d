import type { Connection } from './connection.ts'
import { dayOf, hourOf } from './layout.ts'
import { limits } from './limits.ts'
import { openTagCounters, type TagCounters } from './tag-counters.ts'
import type { TagDictionary, TagPair } from './tag-dictionary.ts'

/** The counted members of one error event. */
export interface ErrorFact {
  readonly id: number
  readonly projectId: number
  readonly hash: string | null
  readonly timestamp: number
  readonly userKey: string | null
  readonly pairs: readonly TagPair[]
}

/** Keeps all counts of error events in step with their rows. */
export interface ErrorRollups {
  add(facts: readonly ErrorFact[]): void
  /** Subtracts the counts of `add`. The rows must be gone by now. */
  subtract(facts: readonly ErrorFact[]): void
  reset(): void
}

interface HashDelta {
  readonly hashId: number
  readonly projectId: number
  readonly hash: string
  count: number
  firstSeen: number
  lastSeen: number
  readonly hours: Map<number, number>
  readonly users: Map<string, number>
  /** Counts by pair and day. */
  readonly tags: Map<string, { readonly pair: TagPair; readonly day: number; count: number }>
}

export function openErrorRollups(connection: Connection, dictionary: TagDictionary): ErrorRollups {
  const hashIds = new Map<string, number>()
  const tagCounters = openTagCounters(connection, dictionary)

  function hashIdOf(projectId: number, hash: string): number {
    const name = `${projectId} ${hash}`
    const known = hashIds.get(name)
    if (known !== undefined) return known
    connection.run(
      'insert into error_hashes (project_id, hash) values (?, ?) on conflict do nothing',
      projectId,
      hash,
    )
    const id = Number(
      connection.get(
        'select id from error_hashes where project_id = ? and hash = ?',
        projectId,
        hash,
      )?.['id'],
    )
    if (hashIds.size >= limits.cacheEntriesMax) hashIds.clear()
    hashIds.set(name, id)
    return id
  }

  return {
    add(facts) {
      indexTags(connection, facts)
      for (const delta of deltasOf(facts, hashIdOf)) {
        const newUsers = addUsers(connection, delta)
        connection.run(
          `update error_hashes set count = count + ?1, users = users + ?2,
             first_seen = min(coalesce(first_seen, ?3), ?3),
             last_seen = max(coalesce(last_seen, ?4), ?4) where id = ?5`,
          delta.count,
          newUsers,
          delta.firstSeen,
          delta.lastSeen,
          delta.hashId,
        )
        addHours(connection, delta)
        for (const tag of delta.tags.values()) tagCounters.add(delta, tag)
      }
    },
    subtract(facts) {
      for (const fact of facts) {
        for (const pair of fact.pairs) {
          connection.run(
            'delete from error_tags where pair_id = ? and error_id = ?',
            pair.id,
            fact.id,
          )
        }
      }
      for (const delta of deltasOf(facts, hashIdOf)) {
        const isEmpty = subtractDelta(connection, delta, tagCounters)
        if (isEmpty) hashIds.delete(`${delta.projectId} ${delta.hash}`)
      }
    },
    reset() {
      hashIds.clear()
      tagCounters.reset()
    },
  }
}

function deltasOf(
  facts: readonly ErrorFact[],
  hashIdOf: (projectId: number, hash: string) => number,
): Iterable<HashDelta> {
  const deltas = new Map<number, HashDelta>()
  for (const fact of facts) {
    const hash = fact.hash ?? ''
    const hashId = hashIdOf(fact.projectId, hash)
    let delta = deltas.get(hashId)
    if (delta === undefined) {
      delta = {
        hashId,
        projectId: fact.projectId,
        hash,
        count: 0,
        firstSeen: Infinity,
        lastSeen: -Infinity,
        hours: new Map(),
        users: new Map(),
        tags: new Map(),
      }
      deltas.set(hashId, delta)
    }
    delta.count++
    delta.firstSeen = Math.min(delta.firstSeen, fact.timestamp)
    delta.lastSeen = Math.max(delta.lastSeen, fact.timestamp)
    increase(delta.hours, hourOf(fact.timestamp))
    if (fact.userKey !== null) increase(delta.users, fact.userKey)
    const day = dayOf(fact.timestamp)
    for (const pair of fact.pairs) {
      const name = `${pair.id} ${day}`
      const tag = delta.tags.get(name)
      if (tag === undefined) delta.tags.set(name, { pair, day, count: 1 })
      else tag.count++
    }
  }
  return deltas.values()
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Writes the inverted index, in its own order. */
function indexTags(connection: Connection, facts: readonly ErrorFact[]): void {
  const entries: [pairId: number, errorId: number][] = []
  for (const fact of facts) for (const pair of fact.pairs) entries.push([pair.id, fact.id])
  entries.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const insert = connection.prepare(
    'insert into error_tags (pair_id, error_id) values (?, ?) on conflict do nothing',
  )
  for (const entry of entries) insert.run(entry[0], entry[1])
}

function addUsers(connection: Connection, delta: HashDelta): number {
  let newUsers = 0
  const upsert = connection.prepare(
    `insert into error_users (hash_id, user_key, count) values (?, ?, ?)
     on conflict do update set count = count + excluded.count returning count`,
  )
  for (const [userKey, count] of delta.users) {
    if (upsert.get(delta.hashId, userKey, count)?.['count'] === count) newUsers++
  }
  return newUsers
}

function addHours(connection: Connection, delta: HashDelta): void {
  const upsert = connection.prepare(
    `insert into error_hours (project_id, hour, hash_id, count) values (?, ?, ?, ?)
     on conflict do update set count = count + excluded.count`,
  )
  for (const [hour, count] of delta.hours) upsert.run(delta.projectId, hour, delta.hashId, count)
}

/** Returns whether nothing of the hash is left. */
function subtractDelta(
  connection: Connection,
  delta: HashDelta,
  tagCounters: TagCounters,
): boolean {
  const { hashId } = delta
  const left = connection.get(
    'update error_hashes set count = count - ? where id = ? returning count',
    delta.count,
    hashId,
  )?.['count']
  if (left === undefined || Number(left) <= 0) {
    for (const table of ['error_hours', 'error_users', 'tag_counts', 'tag_value_counts']) {
      connection.run(`delete from ${table} where hash_id = ?`, hashId)
    }
    connection.run('delete from error_hashes where id = ?', hashId)
    tagCounters.reset()
    return true
  }
  for (const [hour, count] of delta.hours) {
    connection.run(
      'update error_hours set count = count - ? where project_id = ? and hour = ? and hash_id = ?',
      count,
      delta.projectId,
      hour,
      hashId,
    )
  }
  connection.run('delete from error_hours where hash_id = ? and count <= 0', hashId)
  subtractUsers(connection, delta)
  for (const tag of delta.tags.values()) tagCounters.subtract(delta, tag)
  // The index of hash and time gives both ends at once.
  connection.run(
    `update error_hashes set
       first_seen = (select min(timestamp) from errors where project_id = ?1 and grouping_hash is ?2),
       last_seen = (select max(timestamp) from errors where project_id = ?1 and grouping_hash is ?2)
     where id = ?3`,
    delta.projectId,
    delta.hash === '' ? null : delta.hash,
    hashId,
  )
  return false
}

function subtractUsers(connection: Connection, delta: HashDelta): void {
  let gone = 0
  for (const [userKey, count] of delta.users) {
    const left = connection.get(
      'update error_users set count = count - ? where hash_id = ? and user_key = ? returning count',
      count,
      delta.hashId,
      userKey,
    )?.['count']
    if (left === undefined || Number(left) > 0) continue
    connection.run(
      'delete from error_users where hash_id = ? and user_key = ?',
      delta.hashId,
      userKey,
    )
    gone++
  }
  if (gone > 0) {
    connection.run('update error_hashes set users = users - ? where id = ?', gone, delta.hashId)
  }
}
