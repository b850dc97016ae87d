import type { Connection } from './connection.ts'
import { hourOf } from './layout.ts'
import { limits } from './limits.ts'

/** Collects outcomes of one batch; `write` adds them to the counters. */
export interface OutcomeCounts {
  count(outcome: CountedOutcome): void
  write(): void
}

export interface CountedOutcome {
  readonly projectId: number
  readonly receivedAt: number
  /** The item's type, or the category of a client discard. */
  readonly type: string
  readonly outcome: string
  /** Null when there is no reason. */
  readonly reason: string | null
  /** 1; 0 for items that the SDK reports as not sent. */
  readonly items: number
  readonly quantity: number
}

interface Counter {
  readonly projectId: number
  readonly hour: number
  readonly type: string
  readonly outcome: string
  readonly reason: string
  items: number
  quantity: number
}

export function openOutcomeCounts(connection: Connection): OutcomeCounts {
  const counters = new Map<string, Counter>()
  return {
    count({ projectId, receivedAt, type, outcome, reason, items, quantity }) {
      const hour = hourOf(receivedAt)
      const shortType = type.slice(0, limits.outcomeTextMax)
      const shortReason = (reason ?? '').slice(0, limits.outcomeTextMax)
      const name = JSON.stringify([projectId, hour, shortType, outcome, shortReason])
      let counter = counters.get(name)
      if (counter === undefined) {
        counter = {
          projectId,
          hour,
          type: shortType,
          outcome,
          reason: shortReason,
          items: 0,
          quantity: 0,
        }
        counters.set(name, counter)
      }
      counter.items += items
      counter.quantity += quantity
    },
    write() {
      for (const counter of counters.values()) writeCounter(connection, counter)
    },
  }
}

function writeCounter(connection: Connection, counter: Counter): void {
  const { projectId, hour, items, quantity } = counter
  const changed = connection.run(
    `update outcomes set items = items + ?, quantity = quantity + ?
     where project_id = ? and hour = ? and type = ? and outcome = ? and reason = ?`,
    items,
    quantity,
    projectId,
    hour,
    counter.type,
    counter.outcome,
    counter.reason,
  )
  if (changed > 0) return
  const known = connection.get(
    'select count(*) as count from outcomes where project_id = ? and hour = ?',
    projectId,
    hour,
  )
  const isFull = Number(known?.['count'] ?? 0) >= limits.outcomesPerHourMax
  connection.run(
    `insert into outcomes (project_id, hour, type, outcome, reason, items, quantity)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict do update set items = items + excluded.items, quantity = quantity + excluded.quantity`,
    projectId,
    hour,
    isFull ? 'other' : counter.type,
    counter.outcome,
    isFull ? '' : counter.reason,
    items,
    quantity,
  )
}
