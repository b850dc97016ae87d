/** The contract of every queue. Run by the tests of each adapter. */
import { assert, asyncProperty } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { interleaving, runInterleaving } from './interleavings.ts'
import { fairTurnMax, type Lease, type QueueReader, type QueueWriter } from '../port.ts'
import { delivery, textsOf, type QueueUnderTest } from './queue-under-test.ts'

const minute = 60_000

function projectsOf(leases: readonly Lease[]): number[] {
  return leases.map((lease) => lease.delivery.projectId)
}

export function queueContract(name: string, open: () => Promise<QueueUnderTest>): void {
  describe(`queue contract: ${name}`, () => {
    let queue: QueueUnderTest
    let writer: QueueWriter
    let reader: QueueReader

    beforeEach(async () => {
      queue = await open()
      writer = await queue.openWriter()
      reader = await queue.openReader()
    })
    afterEach(async () => {
      await reader.close()
      await writer.close()
      await queue.dispose()
    })

    async function restartReader(): Promise<void> {
      queue.abandonReader(reader)
      reader = await queue.openReader()
    }

    it('delivers what was published, whole and in order', async () => {
      const sent = delivery('one', { remoteAddress: null, userAgent: 'Möbius/1', receivedAt: 5.5 })
      await writer.publish(sent)
      await writer.publish(delivery('two'))
      await writer.publish(delivery(''))
      const leases = await reader.take(10, minute)
      expect(textsOf(leases)).toEqual(['one', 'two', ''])
      expect(leases.map((lease) => lease.attempts)).toEqual([1, 1, 1])
      expect({ ...leases[0]?.delivery, bytes: null }).toEqual({ ...sent, bytes: null })
    })

    it('takes at most as many as it was asked for, and none twice', async () => {
      for (const text of ['a', 'b', 'c']) await writer.publish(delivery(text))
      expect(textsOf(await reader.take(2, minute))).toEqual(['a', 'b'])
      expect(textsOf(await reader.take(2, minute))).toEqual(['c'])
    })

    it('waits for a delivery, and gives up when told to', async () => {
      const taken = reader.take(1, minute)
      await writer.publish(delivery('late'))
      expect(textsOf(await taken)).toEqual(['late'])
      const stop = new AbortController()
      const waiting = reader.take(1, minute, stop.signal)
      stop.abort()
      expect(await waiting).toEqual([])
      expect(await reader.take(1, minute, AbortSignal.abort())).toEqual([])
    })

    it('forgets what is done, in any order and more than once', async () => {
      for (const text of ['a', 'b', 'c']) await writer.publish(delivery(text))
      const leases = await reader.take(3, minute)
      await reader.done(leases.slice(1))
      await reader.done(leases.slice(1))
      await restartReader()
      expect(textsOf(await reader.take(3, minute))).toEqual(['a'])
    })

    it('delivers again when a lease runs out, with the attempts counted and the same id', async () => {
      await writer.publish(delivery('slow'))
      const [first] = await reader.take(1, 1)
      const [second] = await reader.take(1, minute)
      expect(second?.id).toBe(first?.id)
      expect(second?.attempts).toBe(2)
    })

    it('brings back what was in hand at a death one by one, then goes on', async () => {
      for (const text of ['a', 'b', 'c']) await writer.publish(delivery(text))
      await reader.take(2, minute)
      await restartReader()
      const first = await reader.take(10, minute)
      expect(textsOf(first)).toEqual(['a'])
      expect(first[0]?.attempts).toBe(2)
      const impatient = reader.take(10, minute, AbortSignal.timeout(30))
      expect(await impatient).toEqual([])
      await reader.done(first)
      const second = await reader.take(10, minute)
      expect(textsOf(second)).toEqual(['b'])
      await reader.done(second)
      const rest = await reader.take(10, minute)
      expect(textsOf(rest)).toEqual(['c'])
      expect(rest[0]?.attempts).toBe(1)
    })

    it('counts the attempts of a delivery that kills its reader again and again', async () => {
      await writer.publish(delivery('poison'))
      for (const attempts of [1, 2, 3]) {
        const [lease] = await reader.take(1, minute)
        expect(lease?.attempts).toBe(attempts)
        await restartReader()
      }
    })

    it('does not count an attempt when the reader is closed in good order', async () => {
      await writer.publish(delivery('kept'))
      await reader.take(1, minute)
      await reader.close()
      reader = await queue.openReader()
      const [lease] = await reader.take(1, minute)
      expect(lease?.attempts).toBe(1)
    })

    it('sets a delivery aside once, and never delivers it again', async () => {
      await writer.publish(delivery('bad'))
      await writer.publish(delivery('good'))
      const [bad] = await reader.take(1, minute)
      if (bad === undefined) throw new Error('nothing was taken')
      await reader.setAside(bad, 'because')
      await reader.setAside(bad, 'because')
      expect((await reader.stats()).setAside).toBe(1)
      await restartReader()
      expect(textsOf(await reader.take(10, minute))).toEqual(['good'])
    })

    it('says what waits', async () => {
      const empty = await reader.stats()
      expect(empty).toEqual({ waiting: 0, waitingBytes: 0, oldestReceivedAt: null, setAside: 0 })
      await writer.publish(delivery('old', { receivedAt: 1000 }))
      await writer.publish(delivery('new', { receivedAt: 2000 }))
      const leases = await reader.take(1, minute)
      for (const side of [reader, writer]) {
        const stats = await side.stats()
        expect(stats).toMatchObject({ waiting: 2, oldestReceivedAt: 1000, setAside: 0 })
        expect(stats.waitingBytes).toBeGreaterThan(0)
      }
      await reader.done(leases)
      expect(await reader.stats()).toMatchObject({ waiting: 1, oldestReceivedAt: 2000 })
    })

    it('keeps everything over a restart of both sides', async () => {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => writer.publish(delivery(String(index)))),
      )
      await writer.close()
      await reader.close()
      writer = await queue.openWriter()
      reader = await queue.openReader()
      await writer.publish(delivery('after'))
      expect(textsOf(await reader.take(200, minute))).toHaveLength(101)
      expect((await reader.stats()).waiting).toBe(101)
    })

    async function publishMany(projectId: number, count: number): Promise<void> {
      const names = Array.from({ length: count }, (_, index) => `${projectId}: ${index}`)
      await Promise.all(names.map((name) => writer.publish(delivery(name, { projectId }))))
    }

    it('lets no backlog of one project hold up another', async () => {
      await publishMany(1, 10_000)
      await reader.done(await reader.take(100, minute))
      await publishMany(2, 1)
      const leases = await reader.take(100, minute)
      expect(projectsOf(leases)).toContain(2)
      expect(projectsOf(leases).indexOf(2)).toBeLessThanOrEqual(fairTurnMax)
    })

    it('takes the projects in turn, the oldest of each first', async () => {
      const projects = [1, 2, 3, 4, 5]
      for (const project of projects) await publishMany(project, 40)
      const taken: Lease[] = []
      while (taken.length < 200) {
        const leases = await reader.take(7, minute)
        await reader.done(leases)
        taken.push(...leases)
      }
      for (const project of projects) {
        const names = textsOf(taken.filter((lease) => lease.delivery.projectId === project))
        expect(names).toEqual(Array.from({ length: 40 }, (_, index) => `${project}: ${index}`))
        const places = projectsOf(taken).flatMap((one, place) => (one === project ? [place] : []))
        const gaps = places.map((place, index) => place - (places[index - 1] ?? -1) - 1)
        expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * fairTurnMax)
      }
    })

    it('forgets what is done of one project for good, while another one waits', async () => {
      await publishMany(1, 500)
      await publishMany(2, 3)
      const taken: Lease[] = []
      while (projectsOf(taken).filter((project) => project === 2).length < 3) {
        const leases = await reader.take(5, minute)
        await reader.done(leases)
        taken.push(...leases)
      }
      await restartReader()
      expect((await reader.stats()).waiting).toBe(503 - taken.length)
      const rest: Lease[] = []
      while (rest.length < 503 - taken.length) {
        const leases = await reader.take(100, minute)
        await reader.done(leases)
        rest.push(...leases)
      }
      expect(new Set(textsOf([...taken, ...rest])).size).toBe(503)
      expect(new Set(projectsOf(rest))).toEqual(new Set([1]))
      expect((await reader.stats()).waiting).toBe(0)
    })

    it('names the oldest that waits, of whichever project', async () => {
      for (const [projectId, receivedAt] of [
        [1, 1000],
        [1, 2000],
        [2, 3000],
        [1, 4000],
      ] as const) {
        await writer.publish(delivery(String(receivedAt), { projectId, receivedAt }))
      }
      const oldest: (number | null)[] = []
      for (let left = 4; left > 0; left -= 1) {
        await reader.done(await reader.take(1, minute))
        oldest.push((await reader.stats()).oldestReceivedAt)
      }
      expect(oldest).toEqual([2000, 2000, 4000, null])
    })

    it('delivers everything, once unless it was in hand, in order and in turn, whatever happens', async () => {
      await assert(
        asyncProperty(interleaving, async (steps) => {
          const another = await open()
          await runInterleaving(another, steps)
          await another.dispose()
        }),
        { numRuns: 25, interruptAfterTimeLimit: 100_000 },
      )
    }, 120_000)

    it('refuses to publish when closed', async () => {
      await writer.check()
      await writer.close()
      await expect(writer.check()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
      await expect(writer.publish(delivery('x'))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    })
  })
}
