/** A queue beside a model of it, for properties that hold whatever happens in which order. */
import { array, constantFrom, integer, oneof, record, constant, type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { fairTurnMax, type Lease, type QueueReader, type QueueWriter } from '../port.ts'
import { delivery, textsOf, type QueueUnderTest } from './queue-under-test.ts'

const minute = 60_000
/** A delivery that waits for longer is lost. */
const patienceMs = 20_000

type Step =
  /** Publishes together, one delivery for each of these projects. */
  | { readonly type: 'publish'; readonly projects: readonly number[] }
  | { readonly type: 'take'; readonly max: number }
  | { readonly type: 'done'; readonly count: number }
  | { readonly type: 'crash' | 'close' | 'reopen writer' }

const project = constantFrom(1, 1, 1, 2, 3)

/** Any event in the life of a queue of three projects, of which one sends most. */
export const interleaving: Arbitrary<readonly Step[]> = array(
  oneof(
    record({
      type: constant('publish' as const),
      projects: array(project, { minLength: 1, maxLength: 20 }),
    }),
    record({ type: constant('take' as const), max: integer({ min: 1, max: 30 }) }),
    record({ type: constant('done' as const), count: integer({ min: 1, max: 30 }) }),
    record({ type: constantFrom('crash' as const, 'close' as const, 'reopen writer' as const) }),
  ),
  { maxLength: 40 },
)

/** Applies an event to a queue, and expects the port's promises of every delivery. */
export async function runInterleaving(
  queue: QueueUnderTest,
  steps: readonly Step[],
): Promise<void> {
  const model = new QueueModel(queue, await queue.openWriter(), await queue.openReader())
  for (const step of steps) {
    if (step.type === 'publish') await model.publish(step.projects)
    else if (step.type === 'take') await model.take(step.max)
    else if (step.type === 'done') await model.done(step.count)
    else if (step.type === 'reopen writer') await model.reopenWriter()
    else await model.restartReader(step.type)
  }
  await model.drain()
}

class QueueModel {
  readonly #queue: QueueUnderTest
  #writer: QueueWriter
  #reader: QueueReader
  #published = 0
  /** Deliveries never handed out, in order, by project. */
  readonly #fresh = new Map<number, string[]>()
  /**
   * For each waiting project: deliveries of each other one since it began to wait, or had its turn.
   */
  readonly #ahead = new Map<number, Map<number, number>>()
  /** Deliveries in hand at a restart, and not yet back. */
  readonly #suspects = new Set<string>()
  #held: readonly Lease[] = []
  #isSuspectHeld = false

  constructor(queue: QueueUnderTest, writer: QueueWriter, reader: QueueReader) {
    this.#queue = queue
    this.#writer = writer
    this.#reader = reader
  }

  async publish(projects: readonly number[]): Promise<void> {
    const sent = projects.map((projectId) => {
      const name = `${projectId}: ${this.#published++}`
      const waiting = this.#fresh.get(projectId) ?? []
      if (waiting.length === 0) this.#ahead.set(projectId, new Map())
      this.#fresh.set(projectId, [...waiting, name])
      return delivery(name, { projectId })
    })
    await Promise.all(sent.map((one) => this.#writer.publish(one)))
  }

  /** While a suspect is in hand, or nothing waits, a take would wait too. */
  async take(max: number): Promise<void> {
    if (this.#isSuspectHeld) return
    if (this.#suspects.size > 0) {
      if (this.#held.length === 0) await this.#takeSuspect(max)
      return
    }
    if ([...this.#fresh.values()].every((waiting) => waiting.length === 0)) return
    const leases = await this.#reader.take(max, minute, AbortSignal.timeout(patienceMs))
    expect(leases.length).toBeGreaterThan(0)
    expect(leases.length).toBeLessThanOrEqual(max)
    for (const lease of leases) this.#expectNext(lease)
    this.#held = [...this.#held, ...leases]
  }

  async #takeSuspect(max: number): Promise<void> {
    const leases = await this.#reader.take(max, minute, AbortSignal.timeout(patienceMs))
    const [name = ''] = textsOf(leases)
    expect(leases).toHaveLength(1)
    expect(this.#suspects).toContain(name)
    this.#suspects.delete(name)
    this.#held = leases
    this.#isSuspectHeld = true
  }

  /** Checks that nothing is left out, repeated or before its turn. */
  #expectNext({ attempts, delivery: { projectId, bytes } }: Lease): void {
    const waiting = this.#fresh.get(projectId) ?? []
    expect(attempts).toBe(1)
    expect(Buffer.from(bytes).toString()).toBe(waiting[0])
    this.#fresh.set(projectId, waiting.slice(1))
    for (const [other, ahead] of this.#ahead) {
      const count = (ahead.get(projectId) ?? 0) + 1
      if (other !== projectId) ahead.set(projectId, count)
      expect(other === projectId ? 0 : count).toBeLessThanOrEqual(fairTurnMax)
    }
    if (waiting.length > 1) this.#ahead.set(projectId, new Map())
    else this.#ahead.delete(projectId)
  }

  /** Picks the oldest and the newest of those in hand, so that gaps arise. */
  async done(count: number): Promise<void> {
    const first = this.#held.slice(0, Math.ceil(count / 2))
    const last = this.#held.slice(first.length).slice(-Math.floor(count / 2) || Infinity)
    const finished = new Set([...first, ...last])
    await this.#reader.done([...finished])
    this.#held = this.#held.filter((lease) => !finished.has(lease))
    if (this.#held.length === 0) this.#isSuspectHeld = false
  }

  async restartReader(how: 'crash' | 'close'): Promise<void> {
    if (how === 'crash') this.#queue.abandonReader(this.#reader)
    else await this.#reader.close()
    this.#reader = await this.#queue.openReader()
    for (const name of textsOf(this.#held)) this.#suspects.add(name)
    this.#held = []
    this.#isSuspectHeld = false
    // The port promises nothing about turns over a restart.
    for (const project of this.#ahead.keys()) this.#ahead.set(project, new Map())
  }

  async reopenWriter(): Promise<void> {
    await this.#writer.close()
    this.#writer = await this.#queue.openWriter()
  }

  /** Checks that everything comes in the end. */
  async drain(): Promise<void> {
    const waits = (): boolean =>
      this.#held.length + this.#suspects.size > 0 ||
      [...this.#fresh.values()].some((waiting) => waiting.length > 0)
    while (waits()) {
      await this.done(Infinity)
      await this.take(7)
    }
    expect((await this.#reader.stats()).waiting).toBe(0)
    await this.#reader.close()
    await this.#writer.close()
  }
}
