import type {
  AggregateQuery,
  AggregateRow,
  Effect,
  EventStore,
  IssueEffect,
  OutboxEntry,
} from '../storage/events/port.ts'

/**
 * An events store with only an outbox, and fixed answers to `aggregate`. It is for tests of
 * metadata's side of effects; code that reads rows is tested on the real store.
 */
export class OutboxStore implements EventStore {
  readonly entries: OutboxEntry[] = []
  answer: (query: AggregateQuery) => readonly AggregateRow[] = () => []

  push(projectId: number, receivedAt: number, effect: Effect): void {
    this.entries.push({ sequence: this.entries.length + 1, projectId, receivedAt, effect })
  }

  async outbox(after: number, max: number): Promise<readonly OutboxEntry[]> {
    return this.entries.filter((entry) => entry.sequence > after).slice(0, max)
  }

  async aggregate(query: AggregateQuery): Promise<readonly AggregateRow[]> {
    return this.answer(query)
  }

  async append(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async point(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async page(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async unnamedBlobs(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async forgetBlobs(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async remove(): Promise<never> {
    throw new Error('this store has no rows')
  }
  async maintain(): Promise<void> {}
  async close(): Promise<void> {}
}

/** Makes the effect of one error event; every member can be given. */
export function issueEffect(fields: Partial<IssueEffect> = {}): IssueEffect {
  return {
    type: 'issue',
    hashes: ['h1'],
    groupingVersion: '1',
    eventId: 'e'.repeat(32),
    timestamp: 1_000,
    title: 'TypeError: x is not a function',
    culprit: 'checkout(cart.ts)',
    kind: 'error',
    metadata: { type: 'TypeError', value: 'x is not a function' },
    level: 'error',
    platform: 'javascript',
    logger: null,
    release: null,
    environment: 'production',
    handled: null,
    ...fields,
  }
}
