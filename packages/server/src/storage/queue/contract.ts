/** What every queue does, whatever holds it. Run by the tests of each adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Delivery, Lease, QueueReader, QueueWriter } from './port.ts'

/** How the contract gets at an adapter: both sides of one queue, and the death of its reader. */
export interface QueueUnderTest {
  openWriter(): Promise<QueueWriter>
  openReader(): Promise<QueueReader>
  /** Leaves a reader as the death of its process would: nothing is closed or given back. */
  abandonReader(reader: QueueReader): unknown
  dispose(): Promise<void>
}

export function delivery(text: string, fields: Partial<Delivery> = {}): Delivery {
  return {
    receivedAt: 1_780_000_000_000,
    projectId: 1,
    keyId: '0123456789abcdef0123456789abcdef',
    remoteAddress: '192.0.2.7',
    userAgent: 'test',
    bytes: Buffer.from(text),
    ...fields,
  }
}

export function textsOf(leases: readonly Lease[]): string[] {
  return leases.map((lease) => Buffer.from(lease.delivery.bytes).toString())
}

const minute = 60_000

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

    it('refuses to publish when closed', async () => {
      await writer.check()
      await writer.close()
      await expect(writer.check()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
      await expect(writer.publish(delivery('x'))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    })
  })
}
