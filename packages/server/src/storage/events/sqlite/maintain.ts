import { setImmediate } from 'node:timers/promises'
import { forget, writing, type Writer } from './append.ts'
import type { Connection } from './connection.ts'
import { dayOf, dayOfId, layouts, tableNames } from './layout.ts'
import { limits } from './limits.ts'
import { joinBlocks } from './payload-blocks.ts'

/**
 * Runs background work; each step is a short transaction of its own, so that batches go in between.
 */
export async function maintainStore(
  writer: Writer,
  now: number,
  appliedSequence: number,
): Promise<void> {
  for (const step of forgetfulSteps(now, appliedSequence)) {
    while (writing(writer, () => step(writer.connection)) >= limits.maintainStepRows) {
      await setImmediate()
    }
  }
  for (const table of tableNames) await sealBlocks(writer, layouts[table].number, dayOf(now))
  forgetPairs(writer, now)
  await setImmediate()
  giveBackPages(writer.connection)
  emptyLog(writer.connection)
}

/** Copies the log back and empties it. A long reader makes this fail, which is harmless. */
function emptyLog(connection: Connection): void {
  const { database } = connection
  database.exec(`pragma busy_timeout = ${limits.checkpointWaitMs}`)
  try {
    connection.all('pragma wal_checkpoint(truncate)')
  } finally {
    database.exec(`pragma busy_timeout = ${limits.writeWaitMs}`)
  }
}

/** Each deletes up to a step's worth of expired rows, and returns their number. */
function forgetfulSteps(
  now: number,
  appliedSequence: number,
): readonly ((connection: Connection) => number)[] {
  const most = limits.maintainStepRows
  return [
    (connection) =>
      connection.run(
        'delete from outbox where sequence in (select sequence from outbox where sequence <= ? order by sequence limit ?)',
        appliedSequence,
        most,
      ),
    (connection) =>
      connection.run(
        `delete from applied_deliveries where id in (
           select id from applied_deliveries
           where id <= (select max(id) from applied_deliveries) - ? order by id limit ?)`,
        limits.deliveriesKept,
        most,
      ),
    // An envelope may have waited for days, so the time it was received at says nothing of its resend.
    (connection) =>
      connection.run(
        `update item_identities set noted_at = ? where (project_id, identity) in (
           select project_id, identity from item_identities where noted_at is null limit ?)`,
        now,
        most,
      ),
    (connection) =>
      connection.run(
        `delete from item_identities where (project_id, identity) in (
           select project_id, identity from item_identities where noted_at < ? limit ?)`,
        now - limits.identityKeptMs,
        most,
      ),
    (connection) => {
      connection.run('update removed_replays set removed_at = ? where removed_at is null', now)
      return connection.run(
        `delete from removed_replays where (replay_id, project_id) in (
           select replay_id, project_id from removed_replays where removed_at < ? limit ?)`,
        now - limits.removedReplayKeptMs,
        most,
      )
    },
  ]
}

interface SmallBlock {
  readonly first_id: number
  readonly row_count: number
  readonly raw_bytes: number
}

/** A run of neighbouring small blocks of one day that fit into one. */
interface Run {
  readonly firstIds: number[]
  bytes: number
  rows: number
  /** The next neighbour would not fit. */
  isFull: boolean
}

/**
 * Joins small blocks. A run that fills a block, or is many blocks long, is joined at once, any
 * other when its day is over. A block alone after that stays as it is.
 */
async function sealBlocks(writer: Writer, tableNumber: number, today: number): Promise<void> {
  const { connection } = writer
  for (const run of smallRuns(connection, tableNumber)) {
    const [first] = run.firstIds
    if (first === undefined) continue
    const isOver = dayOfId(first) < today
    const isWorthIt =
      run.firstIds.length >= limits.blocksJoinedMin ||
      ((run.isFull || isOver) && run.firstIds.length > 1)
    if (isWorthIt) {
      writing(writer, () => joinBlocks(connection, tableNumber, run.firstIds))
      await setImmediate()
    } else if (isOver) {
      writing(writer, () =>
        connection.run(
          'update payload_blocks set is_small = 0 where table_number = ? and first_id = ?',
          tableNumber,
          first,
        ),
      )
    }
  }
}

function smallRuns(connection: Connection, tableNumber: number): readonly Run[] {
  const blocks = connection.all(
    `select b.first_id, b.row_count, b.raw_bytes,
       (select max(n.first_id) from payload_blocks n
        where n.table_number = b.table_number and n.first_id < b.first_id) as before
     from payload_blocks b where b.table_number = ? and b.is_small = 1
     order by b.first_id limit ?`,
    tableNumber,
    limits.blocksLookedAtMax,
  ) as unknown as (SmallBlock & { readonly before: number | null })[]
  const runs: Run[] = []
  for (const block of blocks) {
    const run = runs.at(-1)
    const last = run?.firstIds.at(-1)
    const isNeighbour =
      last !== undefined && block.before === last && dayOfId(last) === dayOfId(block.first_id)
    if (run !== undefined && isNeighbour) {
      run.isFull =
        run.bytes + block.raw_bytes > limits.blockBytesMax ||
        run.rows + block.row_count > limits.blockRowsMax
      if (!run.isFull) {
        run.firstIds.push(block.first_id)
        run.bytes += block.raw_bytes
        run.rows += block.row_count
        continue
      }
    }
    runs.push({
      firstIds: [block.first_id],
      bytes: block.raw_bytes,
      rows: block.row_count,
      isFull: false,
    })
  }
  return runs
}

/** Deletes tag pairs that no row can carry any more: last used before the oldest day there is. */
function forgetPairs(writer: Writer, now: number): void {
  const { connection } = writer
  const days = tableNames
    .filter((table) => layouts[table].hasTags)
    .map((table) => {
      const least = connection.get(`select min(id) as id from ${layouts[table].sqlName}`)?.['id']
      return typeof least === 'number' ? dayOfId(least) : dayOf(now)
    })
  const forgotten = writing(writer, () =>
    connection.run(
      `delete from tag_pairs where id in (
         select id from tag_pairs where last_used_day < ? and value is not null limit ?)`,
      Math.min(...days),
      limits.pairsForgottenMax,
    ),
  )
  if (forgotten > 0) forget(writer)
}

/** Shrinks the file once a tenth of it is free; smaller space is soon used again. */
function giveBackPages(connection: Connection): void {
  const pages = Number(connection.get('pragma page_count')?.['page_count'])
  const free = Number(connection.get('pragma freelist_count')?.['freelist_count'])
  if (free * 10 > pages) {
    connection.database.exec(`pragma incremental_vacuum(${limits.pagesFreedMax})`)
  }
}
