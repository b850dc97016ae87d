import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SharedSqliteDialect } from './dialect.ts'

let database: DatabaseSync
let events: string[]
let refusal: Error | null
let kysely: Kysely<unknown>

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  events = []
  refusal = null
  const exclusively = async <T>(body: () => Promise<T>): Promise<T> => {
    if (refusal) throw refusal
    events.push('taken')
    try {
      return await body()
    } finally {
      events.push('given back')
    }
  }
  kysely = new Kysely({ dialect: new SharedSqliteDialect({ database, exclusively }) })
  database.function('note', () => {
    events.push('statement')
    return 7
  })
})
afterEach(() => database.close())

async function statement(): Promise<unknown> {
  const { rows } = await sql<{ n: number }>`select note() as n`.execute(kysely)
  return rows[0]?.n
}

test('a statement runs while the connection is its own, and others wait their turn', async () => {
  expect(await Promise.all([statement(), statement()])).toEqual([7, 7])
  const once = ['taken', 'statement', 'given back']
  expect(events).toEqual([...once, ...once])
})

test('a transaction has the connection for all of it', async () => {
  await kysely.transaction().execute(async (transaction) => {
    for (let n = 0; n < 2; n += 1) await sql`select note()`.execute(transaction)
  })
  expect(events).toEqual(['taken', 'statement', 'statement', 'given back'])
})

test('a connection that is refused holds up no later statement', async () => {
  refusal = new Error('closed')
  await expect(statement()).rejects.toBe(refusal)
  refusal = null
  expect(await statement()).toBe(7)
  expect(events).toEqual(['taken', 'statement', 'given back'])
})

test('the end of sign-in does not close the connection of the store', async () => {
  await statement()
  await kysely.destroy()
  expect(database.isOpen).toBe(true)
})
