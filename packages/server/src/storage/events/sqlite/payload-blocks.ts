import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Connection } from './connection.ts'
import { limits } from './limits.ts'

/*
 * Payloads of neighbouring rows in one zstd frame: for 5.5 KB events, blocks of 100 take 780 bytes
 * an event against 2,016 alone. A block's content: u32 count; then for each entry f64 row id and
 * u32 byte length; then the UTF-8 texts one after the other.
 */

export interface PayloadEntry {
  readonly id: number
  readonly bytes: Uint8Array
}

const entryHeadBytes = 12

/**
 * Packs entries of one table and one day, in order of id, evenly into as few blocks as the limits
 * allow.
 */
export function writePayloads(
  connection: Connection,
  tableNumber: number,
  entries: readonly PayloadEntry[],
): void {
  if (entries.length === 0) return
  let total = 0
  for (const entry of entries) total += entry.bytes.length
  const blocks = Math.max(
    Math.ceil(total / limits.blockBytesMax),
    Math.ceil(entries.length / limits.blockRowsMax),
  )
  const bytesEach = total / blocks
  const rowsEach = Math.ceil(entries.length / blocks)
  let start = 0
  let bytes = 0
  for (let index = 0; index < entries.length; index++) {
    bytes += entries[index]?.bytes.length ?? 0
    const isLast = index === entries.length - 1
    if (isLast || bytes >= bytesEach || index + 1 - start >= rowsEach) {
      insertBlock(connection, tableNumber, entries.slice(start, index + 1))
      start = index + 1
      bytes = 0
    }
  }
}

function insertBlock(
  connection: Connection,
  tableNumber: number,
  entries: readonly PayloadEntry[],
): void {
  const raw = encodeEntries(entries)
  const isSmall =
    raw.length < limits.blockBytesMax / 2 && entries.length < limits.blockRowsMax / 2 ? 1 : 0
  connection.run(
    `insert into payload_blocks (table_number, first_id, last_id, row_count, raw_bytes, is_small, bytes)
     values (?, ?, ?, ?, ?, ?, ?)`,
    tableNumber,
    entries[0]?.id ?? 0,
    entries.at(-1)?.id ?? 0,
    entries.length,
    raw.length,
    isSmall,
    zstdCompressSync(raw),
  )
}

function encodeEntries(entries: readonly PayloadEntry[]): Buffer {
  let size = 4 + entries.length * entryHeadBytes
  for (const entry of entries) size += entry.bytes.length
  const raw = Buffer.allocUnsafe(size)
  raw.writeUInt32LE(entries.length, 0)
  let head = 4
  let body = 4 + entries.length * entryHeadBytes
  for (const entry of entries) {
    raw.writeDoubleLE(entry.id, head)
    raw.writeUInt32LE(entry.bytes.length, head + 8)
    raw.set(entry.bytes, body)
    head += entryHeadBytes
    body += entry.bytes.length
  }
  return raw
}

function decodeEntries(compressed: Uint8Array): readonly PayloadEntry[] {
  const raw = zstdDecompressSync(compressed)
  const count = raw.readUInt32LE(0)
  const entries: PayloadEntry[] = []
  let body = 4 + count * entryHeadBytes
  for (let index = 0; index < count; index++) {
    const head = 4 + index * entryHeadBytes
    const length = raw.readUInt32LE(head + 8)
    entries.push({ id: raw.readDoubleLE(head), bytes: raw.subarray(body, body + length) })
    body += length
  }
  return entries
}

interface Block {
  readonly first_id: number
  readonly last_id: number
  readonly bytes: Uint8Array
}

function blockOf(connection: Connection, tableNumber: number, id: number): Block | null {
  const block = connection.get(
    `select first_id, last_id, bytes from payload_blocks
     where table_number = ? and first_id <= ? order by first_id desc limit 1`,
    tableNumber,
    id,
  ) as Block | undefined
  return block !== undefined && block.last_id >= id ? block : null
}

/** Reads payload texts by row id; rows without one are absent. */
export function readPayloads(
  connection: Connection,
  tableNumber: number,
  ids: readonly number[],
): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  const sorted = [...ids].sort((a, b) => a - b)
  const wanted = new Set(sorted)
  let readUpTo = -1
  for (const id of sorted) {
    if (id <= readUpTo) continue
    const block = blockOf(connection, tableNumber, id)
    if (block === null) continue
    readUpTo = block.last_id
    for (const entry of decodeEntries(block.bytes)) {
      if (wanted.has(entry.id)) texts.set(entry.id, Buffer.from(entry.bytes).toString('utf8'))
    }
  }
  return texts
}

/** Removes the payloads of rows from their blocks, and drops empty blocks. */
export function removePayloads(
  connection: Connection,
  tableNumber: number,
  ids: readonly number[],
): void {
  const unwanted = new Set(ids)
  const sorted = [...ids].sort((a, b) => a - b)
  let doneUpTo = -1
  for (const id of sorted) {
    if (id <= doneUpTo) continue
    const block = blockOf(connection, tableNumber, id)
    if (block === null) continue
    doneUpTo = block.last_id
    const entries = decodeEntries(block.bytes)
    const kept = entries.filter((entry) => !unwanted.has(entry.id))
    if (kept.length === entries.length) continue
    deleteBlock(connection, tableNumber, block.first_id)
    if (kept.length > 0) insertBlock(connection, tableNumber, kept)
  }
}

function deleteBlock(connection: Connection, tableNumber: number, firstId: number): void {
  connection.run(
    'delete from payload_blocks where table_number = ? and first_id = ?',
    tableNumber,
    firstId,
  )
}

/** Drops all blocks whose rows have ids below this. */
export function dropPayloadsBelow(connection: Connection, tableNumber: number, id: number): void {
  connection.run(
    'delete from payload_blocks where table_number = ? and first_id < ?',
    tableNumber,
    id,
  )
}

/** Merges blocks into one. They must be neighbours of one day and fit together. */
export function joinBlocks(
  connection: Connection,
  tableNumber: number,
  firstIds: readonly number[],
): void {
  const entries: PayloadEntry[] = []
  for (const firstId of firstIds) {
    const block = blockOf(connection, tableNumber, firstId)
    if (block !== null) entries.push(...decodeEntries(block.bytes))
    deleteBlock(connection, tableNumber, firstId)
  }
  insertBlock(connection, tableNumber, entries)
}
