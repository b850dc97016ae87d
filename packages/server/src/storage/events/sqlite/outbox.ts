import type { Effect, IssueEffect, OutboxEntry } from '../port.ts'
import type { Connection } from './connection.ts'
import { limits } from './limits.ts'

/** Collects the effects of one batch; `write` puts them into the outbox. */
export interface OutboxBatch {
  add(projectId: number, receivedAt: number, effects: readonly Effect[]): void
  write(): void
}

interface PendingEffect {
  readonly projectId: number
  readonly receivedAt: number
  readonly effect: Effect
}

/**
 * Reduces the events of one batch that say the same of an issue (all hashes, release and handled
 * equal) to the earliest and the latest, in that order: they carry the first and last time seen and
 * the latest title. An event of another release may reopen an issue, and an unhandled one marks it.
 */
export function openOutboxBatch(connection: Connection): OutboxBatch {
  const earliest = new Map<string, PendingEffect>()
  const latest = new Map<string, PendingEffect>()
  const others: PendingEffect[] = []
  return {
    add(projectId, receivedAt, effects) {
      for (const effect of effects) {
        const pending = { projectId, receivedAt, effect }
        if (effect.type !== 'issue') {
          others.push(pending)
          continue
        }
        const name = JSON.stringify([projectId, effect.hashes, effect.release, effect.handled])
        const first = earliest.get(name)
        if (first === undefined || isBefore(effect, first.effect)) earliest.set(name, pending)
        const last = latest.get(name)
        if (last === undefined || !isBefore(effect, last.effect)) latest.set(name, pending)
      }
    },
    write() {
      const insert = connection.prepare(
        'insert into outbox (project_id, received_at, effect) values (?, ?, ?)',
      )
      const write = (pending: PendingEffect): void => {
        insert.run(pending.projectId, pending.receivedAt, JSON.stringify(pending.effect))
      }
      for (const [name, first] of earliest) {
        write(first)
        const last = latest.get(name)
        if (last !== undefined && last !== first) write(last)
      }
      for (const pending of others) write(pending)
    },
  }
}

/** Events of one moment are ordered by id, so that the order of arrival does not matter. */
function isBefore(effect: IssueEffect, other: Effect): boolean {
  const { timestamp, eventId } = other as IssueEffect
  if (effect.timestamp !== timestamp) return effect.timestamp < timestamp
  return effect.eventId < eventId
}

/** Reads entries after a sequence number, in order. */
export function readOutbox(
  connection: Connection,
  afterSequence: number,
  max: number,
): readonly OutboxEntry[] {
  const rows = connection.all(
    `select sequence, project_id, received_at, effect from outbox
     where sequence > ? order by sequence limit ?`,
    afterSequence,
    Math.min(max, limits.outboxMax),
  )
  return rows.map((row) => ({
    sequence: Number(row['sequence']),
    projectId: Number(row['project_id']),
    receivedAt: Number(row['received_at']),
    effect: JSON.parse(String(row['effect'])) as Effect,
  }))
}
