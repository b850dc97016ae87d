import { derivedTables, tables, type ReadableTableName, type TableName } from '../tables.ts'

/** The layout of a table of `tables.ts` in SQLite. */
export interface Layout {
  readonly name: ReadableTableName
  /** Number in payload blocks; never reuse one. */
  readonly number: number
  readonly sqlName: string
  readonly hasTags: boolean
  readonly key: readonly string[]
  /** Column names of the port, in order of the table. */
  readonly columns: readonly string[]
  /** SQL names of `columns`, quoted (`transaction` is a word of SQL). */
  readonly sqlColumns: readonly string[]
  readonly types: Readonly<Record<string, string>>
  /** Columns whose index leads to few rows; when one is asked for, project and time only filter. */
  readonly selective: ReadonlySet<string>
}

const numbers: Readonly<Record<ReadableTableName, number>> = {
  errors: 1,
  transactions: 2,
  spans: 3,
  vitals: 4,
  replaySegments: 5,
  sessions: 6,
  checkIns: 7,
  feedback: 8,
  logs: 9,
  metrics: 10,
  attachments: 11,
  replays: 12,
}

const selectiveColumns: Partial<Record<ReadableTableName, readonly string[]>> = {
  errors: ['eventId', 'traceId', 'replayId', 'userKey'],
  transactions: ['eventId', 'traceId'],
  spans: ['traceId'],
  vitals: ['traceId'],
  replaySegments: ['replayId'],
  replays: ['replayId'],
  sessions: ['key'],
  checkIns: ['checkInId'],
  feedback: ['eventId'],
  logs: ['key', 'traceId'],
  metrics: ['key'],
  attachments: ['eventId'],
}

export const layouts = Object.fromEntries(
  Object.entries({ ...tables, ...derivedTables }).map(([name, table]) => [
    name,
    layoutOf(name as ReadableTableName, table),
  ]),
) as unknown as Readonly<Record<ReadableTableName, Layout>>

export const tableNames = Object.keys(tables) as readonly TableName[]

function layoutOf(
  name: ReadableTableName,
  table: { key: readonly string[]; tags: boolean; columns: Readonly<Record<string, string>> },
): Layout {
  const columns = Object.keys(table.columns)
  return {
    name,
    number: numbers[name],
    sqlName: snakeCase(name),
    hasTags: table.tags,
    key: table.key,
    columns,
    sqlColumns: columns.map((column) => quoted(column)),
    types: table.columns,
    selective: new Set(selectiveColumns[name]),
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function quoted(column: string): string {
  return `"${snakeCase(column)}"`
}

const idsPerDay = 2 ** 32
const dayMs = 86_400_000

/** Returns whole UTC days since the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

export function hourOf(time: number): number {
  return Math.floor(time / 3_600_000)
}

/** Returns the ids of one day of receipt: from the first, below the second. */
export function idsOfDay(day: number): readonly [from: number, to: number] {
  return [day * idsPerDay, (day + 1) * idsPerDay]
}

export function dayOfId(id: number): number {
  return Math.floor(id / idsPerDay)
}
