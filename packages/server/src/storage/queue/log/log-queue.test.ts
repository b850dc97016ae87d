import { spawn } from 'node:child_process'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  truncate,
  writeFile,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queueContract } from '../contract/index.ts'
import type { QueueDamage, QueueReader } from '../port.ts'
import { delivery, textsOf } from '../contract/queue-under-test.ts'
import { laneCount } from './lane.ts'
import type { LogQueueLimits } from './limits.ts'
import { openLogQueueReader } from './reader.ts'
import { requeueSegment } from './requeue.ts'
import { segmentPath } from './segment.ts'
import { openLogQueueWriter } from './writer.ts'

const minute = 60_000

async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'afterimage-queue-'))
}

function contractOf(name: string, limits: Partial<LogQueueLimits>): void {
  queueContract(name, async () => {
    const folder = await makeFolder()
    const abandoned: QueueReader[] = []
    return {
      openWriter: () => openLogQueueWriter(folder, limits),
      openReader: () => openLogQueueReader(folder, { ...limits, pollMs: 20 }),
      abandonReader: (reader) => abandoned.push(reader),
      dispose: async () => {
        for (const reader of abandoned) await reader.close()
        await rm(folder, { recursive: true })
      },
    }
  })
}

contractOf('segment files', {})
contractOf('segment files, of which a reader knows and keeps as little as it can', {
  segmentBytesMax: 300,
  blocksKnownMax: 0,
  laneBlocksMin: 1,
  decodedBytesMax: 1,
  openSegmentsMax: 1,
  turnBytesMax: 1,
  cursorSyncMs: 0,
})

describe('log queue', () => {
  let folder: string
  beforeEach(async () => {
    folder = await makeFolder()
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  async function takeAll(count: number): Promise<string[]> {
    const reader = await openLogQueueReader(folder, { pollMs: 10 })
    const texts: string[] = []
    while (texts.length < count) {
      const leases = await reader.take(count, minute, AbortSignal.timeout(2000))
      if (leases.length === 0) break
      texts.push(...textsOf(leases))
      await reader.done(leases)
    }
    await reader.close()
    return texts
  }

  it('frees what a body had for itself when it is published, and nothing that others share', async () => {
    const writer = await openLogQueueWriter(folder)
    const own = new TextEncoder().encode('own')
    const pooled = Buffer.from('pooled')
    const published = [
      writer.publish({ ...delivery('own'), bytes: own }),
      writer.publish({ ...delivery('pooled'), bytes: pooled }),
    ]
    expect([own.byteLength, pooled.toString()]).toEqual([0, 'pooled'])
    await Promise.all(published)
    expect(await takeAll(2)).toEqual(['own', 'pooled'])
    await writer.close()
  })

  it('cuts a torn end, whatever its length', async () => {
    const writer = await openLogQueueWriter(folder)
    await writer.publish(delivery('whole'))
    const path = segmentPath(join(folder, 'log'), 1)
    const whole = (await stat(path)).size
    await writer.publish(delivery('torn'))
    await writer.close()
    const bytes = await readFile(path)
    for (const size of [whole + 1, whole + 11, whole + 13, bytes.length - 1]) {
      await writeFile(path, bytes)
      await truncate(path, size)
      for (const name of ['cursor.json', 'cursor.synced.json']) {
        await rm(join(folder, name), { force: true })
      }
      const next = await openLogQueueWriter(folder)
      await next.publish(delivery(`after ${size}`))
      expect((await takeAll(2))[0]).toBe('whole')
      await next.close()
      await writeFile(path, bytes)
    }
  })

  it('leaves out one record with a flipped bit, and no other', async () => {
    const writer = await openLogQueueWriter(folder)
    for (const text of ['first', 'second', 'third']) await writer.publish(delivery(text))
    await writer.close()
    const path = segmentPath(join(folder, 'log'), 1)
    const bytes = await readFile(path)
    const at = bytes.indexOf('second')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(path, bytes)
    await (await openLogQueueWriter(folder)).close()
    expect(await takeAll(2)).toEqual(['first', 'third'])
  })

  it('goes on after a record whose length was damaged', async () => {
    const writer = await openLogQueueWriter(folder)
    for (const text of ['first', 'second']) await writer.publish(delivery(text))
    await writer.close()
    const path = segmentPath(join(folder, 'log'), 1)
    const bytes = await readFile(path)
    bytes.writeUInt32LE(0xfffffff0, 32 + 4)
    await writeFile(path, bytes)
    await (await openLogQueueWriter(folder)).close()
    expect(await takeAll(1)).toEqual(['second'])
  })

  it('goes on in the middle of what was published together, and counts the rest of it', async () => {
    const writer = await openLogQueueWriter(folder)
    const together = ['a', 'b', 'c', 'd', 'e'].map((text) => text.repeat(2000))
    await Promise.all(together.map((text) => writer.publish(delivery(text))))
    const reader = await openLogQueueReader(folder)
    const whole = (await reader.stats()).waitingBytes
    const taken = await reader.take(2, minute)
    await reader.done(taken.slice(0, 1))
    await reader.close()
    const next = await openLogQueueReader(folder)
    expect(await next.stats()).toMatchObject({
      waiting: 4,
      waitingBytes: Math.round((whole * 4) / 5),
    })
    const again = await next.take(5, minute)
    expect(textsOf(again)).toEqual([together[1]])
    await next.done(again)
    expect(textsOf(await next.take(5, minute))).toEqual(together.slice(2))
    expect(new Set([...taken, ...again].map(({ id }) => id)).size).toBe(2)
    await next.close()
    await writer.close()
  })

  it('is compressed on disk', async () => {
    const writer = await openLogQueueWriter(folder)
    const text = 'at renderBasket (https://shop.example/app.js:12:7)\n'.repeat(1000)
    await Promise.all(['1', '2', '3'].map((name) => writer.publish(delivery(name + text))))
    expect((await stat(segmentPath(join(folder, 'log'), 1))).size).toBeLessThan(text.length / 10)
    expect(await takeAll(3)).toEqual(['1', '2', '3'].map((name) => name + text))
    await writer.close()
  })

  it('starts from the first segment when its cursor is damaged', async () => {
    const writer = await openLogQueueWriter(folder)
    await writer.publish(delivery('again'))
    await writer.close()
    expect(await takeAll(1)).toEqual(['again'])
    for (const text of [
      '',
      '{',
      '{"front":[1,2],"lanes":[],"open":[]}',
      '[]',
      '{"front":[0,0,0,0],"lanes":[],"open":{}}',
    ]) {
      for (const name of ['cursor.json', 'cursor.synced.json']) {
        await writeFile(join(folder, name), text)
      }
      expect(await takeAll(1)).toEqual(['again'])
    }
  })

  it('unlinks consumed segments, never the newest, and never uses a number twice', async () => {
    const limits = { segmentBytesMax: 200 }
    const writer = await openLogQueueWriter(folder, limits)
    for (let index = 0; index < 9; index++) await writer.publish(delivery(`x${index}`.repeat(30)))
    expect(await takeAll(9)).toHaveLength(9)
    const left = await readdir(join(folder, 'log'))
    expect(left).toHaveLength(1)
    await writer.close()
    const next = await openLogQueueWriter(folder, limits)
    await next.publish(delivery('later'))
    const names = (await readdir(join(folder, 'log'))).sort()
    expect(Number.parseInt(names.at(-1) ?? '', 10)).toBe(Number.parseInt(left[0] ?? '', 10) + 1)
    expect(await takeAll(1)).toEqual(['later'])
    await next.close()
  })

  it.runIf(process.platform === 'linux')('holds no consumed segment open', async () => {
    const writer = await openLogQueueWriter(folder, { segmentBytesMax: 200 })
    for (let index = 0; index < 12; index += 1) await writer.publish(delivery(`number ${index}`))
    const reader = await openLogQueueReader(folder)
    for (let count = 0; count < 4; count += 1) await reader.done(await reader.take(2, minute))
    expect((await readdir(join(folder, 'log'))).length).toBeLessThan(6)
    expect(await reader.take(1, minute)).toHaveLength(1)
    const files = await readdir('/proc/self/fd')
    const targets = await Promise.all(
      files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')),
    )
    const gone = targets.filter((path) => path.startsWith(folder) && path.endsWith('(deleted)'))
    expect(gone).toEqual([])
    await reader.close()
    await writer.close()
  })

  it('keeps a segment that it cannot read, beside the others, and says so', async () => {
    const foreign = Buffer.concat([Buffer.from('AFTRQUE1'), Buffer.alloc(100, 7)])
    await mkdir(join(folder, 'log'), { recursive: true })
    await writeFile(segmentPath(join(folder, 'log'), 1), foreign)
    await writeFile(segmentPath(join(folder, 'log'), 2), 'torn')
    const writer = await openLogQueueWriter(folder)
    await writer.publish(delivery('next'))
    expect(await takeAll(1)).toEqual(['next'])
    expect(await readdir(join(folder, 'log'))).toHaveLength(1)
    expect(await readFile(join(folder, 'set-aside', '1.segment'))).toEqual(foreign)
    expect((await writer.stats()).setAside).toBe(1)
    await writer.close()
  })

  it('answers QUEUE_FULL at its limit, and accepts again when segments are consumed', async () => {
    const limits = { segmentBytesMax: 100, queueBytesMax: 2000, measureMs: 0 }
    const writer = await openLogQueueWriter(folder, limits)
    let published = 0
    const fill = async (): Promise<void> => {
      for (;;) {
        await writer.publish(delivery('y'.repeat(100)))
        published += 1
      }
    }
    await expect(fill()).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    expect(published).toBeGreaterThan(3)
    expect(await takeAll(published)).toHaveLength(published)
    await writer.publish(delivery('room'))
    await writer.close()
  })

  it('finds room again, and leases end, while the clock has been set back', async () => {
    const limits = { segmentBytesMax: 100, queueBytesMax: 2000, measureMs: 200 }
    const writer = await openLogQueueWriter(folder, limits)
    let published = 0
    const fill = async (): Promise<void> => {
      for (;;) {
        await writer.publish(delivery('y'.repeat(100)))
        published += 1
      }
    }
    await expect(fill()).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 60 * minute)
    try {
      expect(await takeAll(published)).toHaveLength(published)
      await expect.poll(() => writer.publish(delivery('room')), { timeout: 5000 }).toBeUndefined()
      const reader = await openLogQueueReader(folder, { pollMs: 10 })
      const [lease] = await reader.take(1, 50)
      clock.mockReturnValue(Date.now() - 60 * minute)
      const [again] = await reader.take(1, 50, AbortSignal.timeout(5000))
      expect(again).toMatchObject({ id: lease?.id, attempts: 2 })
      await reader.close()
    } finally {
      clock.mockRestore()
      await writer.close()
    }
  })

  it('answers QUEUE_FULL while the disk is under its floor', async () => {
    const writer = await openLogQueueWriter(folder, { freeBytesMin: Number.MAX_SAFE_INTEGER })
    await expect(writer.publish(delivery('z'))).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    await expect(writer.check()).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    await writer.close()
  })

  it('is not ready while its folder takes no file', async () => {
    const writer = await openLogQueueWriter(folder)
    await writer.check()
    await rm(join(folder, 'probe'))
    await mkdir(join(folder, 'probe'))
    await expect(writer.check()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await writer.close()
  })

  it('says what the system said of a failed write, and goes on in a new segment', async () => {
    const log = join(folder, 'log')
    const writer = await openLogQueueWriter(folder, { segmentBytesMax: 1, measureMs: minute })
    await writer.publish(delivery('before'))
    await rename(log, `${log}-away`)
    await expect(writer.publish(delivery('lost'))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      cause: { code: 'ENOENT' },
    })
    await rename(`${log}-away`, log)
    await writer.publish(delivery('after'))
    expect(await takeAll(2)).toEqual(['before', 'after'])
    await writer.close()
  })

  /**
   * Publishes ten deliveries in blocks of their own, changes the file by `damage`, and adds a
   * second segment.
   */
  async function damagedLog(damage: (bytes: Buffer) => Buffer): Promise<void> {
    const writer = await openLogQueueWriter(folder)
    for (let index = 0; index < 10; index += 1) await writer.publish(delivery(`number ${index}`))
    await writer.close()
    const path = segmentPath(join(folder, 'log'), 1)
    await writeFile(path, damage(await readFile(path)))
    await (await openLogQueueWriter(folder)).close()
  }

  it.each([
    ['in the middle', (bytes: Buffer) => flipped(bytes, bytes.length / 2, 64), 8, 1],
    ['in the first block', (bytes: Buffer) => flipped(bytes, 40, 4), 9, 1],
    ['in the tail', (bytes: Buffer) => flipped(bytes, bytes.length - 10, 10), 9, 1],
    ['in the marker of the header', (bytes: Buffer) => flipped(bytes, 8, 4), 10, 0],
    ['in the word of the header', (bytes: Buffer) => flipped(bytes, 0, 8), 10, 0],
    ['in all of it', (bytes: Buffer) => flipped(bytes, 0, bytes.length), 0, 1],
  ])(
    'tells of flipped bytes %s, keeps the segment and delivers the rest',
    async (_, damage, rest, told) => {
      await damagedLog(damage)
      const onDamage = vi.fn<(damage: QueueDamage) => void>()
      const writer = await openLogQueueWriter(folder)
      await writer.publish(delivery('end'))
      const reader = await openLogQueueReader(folder, { pollMs: 10 }, onDamage)
      const texts: string[] = []
      while (!texts.includes('end')) {
        const leases = await reader.take(20, minute)
        texts.push(...textsOf(leases))
        await reader.done(leases)
      }
      expect(texts.length - 1).toBeGreaterThanOrEqual(rest)
      expect(onDamage).toHaveBeenCalledTimes(told)
      expect((await reader.stats()).setAside).toBe(told)
      if (told > 0) {
        const path = join(folder, 'set-aside', '1.segment')
        expect(onDamage).toHaveBeenCalledWith({ path, bytes: expect.any(Number) as number })
        expect((await stat(path)).size).toBeGreaterThan(0)
      }
      await reader.close()
      await writer.close()
    },
  )

  it('reads on behind damage to what a lane still had to look for', async () => {
    const writer = await openLogQueueWriter(folder)
    for (const text of ['first', 'second', 'third']) await writer.publish(delivery(text))
    const reader = await openLogQueueReader(folder)
    await reader.done(await reader.take(1, minute))
    await reader.close()
    const path = segmentPath(join(folder, 'log'), 1)
    const bytes = await readFile(path)
    await writeFile(path, flipped(bytes, bytes.indexOf('second'), 3))
    const next = await openLogQueueReader(folder)
    expect(textsOf(await next.take(10, minute))).toEqual(['third'])
    await next.close()
    await writer.close()
  })

  it('scans a bounded part of the log at one take, and finds every project in the end', async () => {
    const writer = await openLogQueueWriter(folder, { segmentBytesMax: 1000 })
    for (let index = 0; index < 60; index += 1) {
      await writer.publish(delivery(String(index), { projectId: index % 20 === 19 ? 2 : 1 }))
    }
    const taken: string[] = []
    while (taken.length < 60) {
      const reader = await openLogQueueReader(folder, { scanBytesMax: 1 })
      expect((await reader.stats()).waiting).toBe(60 - taken.length)
      for (const max of [3, 4]) {
        if (taken.length === 60) break
        const leases = await reader.take(max, minute)
        taken.push(...textsOf(leases))
        await reader.done(leases)
      }
      await reader.close()
    }
    const numbers = taken.map(Number)
    const second = numbers.filter((number) => number % 20 === 19)
    const first = numbers.filter((number) => number % 20 !== 19)
    for (const ofOne of [first, second]) expect(ofOne).toEqual(ofOne.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(60)
    await writer.close()
  })

  it('serves projects that share a lane in order of arrival', async () => {
    const writer = await openLogQueueWriter(folder)
    for (const [index, projectId] of [1, 1 + laneCount, 1, 1 + laneCount].entries()) {
      await writer.publish(delivery(String(index), { projectId }))
    }
    expect(await takeAll(4)).toEqual(['0', '1', '2', '3'])
    await writer.close()
  })

  it('reads again what a damaged segment still holds', async () => {
    await damagedLog((bytes) => flipped(bytes, 40, 4))
    const writer = await openLogQueueWriter(folder)
    const path = segmentPath(join(folder, 'log'), 1)
    expect(await requeueSegment(path, writer)).toEqual({ deliveries: 9, broken: 1 })
    await writeFile(join(folder, 'other'), 'not a segment, though long enough to be one')
    await expect(requeueSegment(join(folder, 'other'), writer)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    })
    await writer.close()
    expect(await takeAll(18)).toHaveLength(18)
  })

  it('counts what waits beside a newest segment whose header was never written', async () => {
    const writer = await openLogQueueWriter(folder)
    for (const text of ['a', 'b']) await writer.publish(delivery(text))
    await writer.close()
    await writeFile(segmentPath(join(folder, 'log'), 2), '')
    const reader = await openLogQueueReader(folder)
    expect((await reader.stats()).waiting).toBe(2)
    await reader.close()
  })

  it('keeps a bounded number of deliveries set aside, the newest ones', async () => {
    const writer = await openLogQueueWriter(folder)
    const reader = await openLogQueueReader(folder, { setAsideMax: 2 })
    for (let index = 0; index < 4; index++) await writer.publish(delivery(`bad ${index}`))
    for (const lease of await reader.take(4, minute)) await reader.setAside(lease, 'kaputt')
    const names = (await readdir(join(folder, 'set-aside'))).sort()
    expect(names).toHaveLength(4)
    const kept = await readFile(join(folder, 'set-aside', names[0] ?? ''), 'utf8')
    expect(kept).toBe('bad 2')
    const note = JSON.parse(await readFile(join(folder, 'set-aside', names[1] ?? ''), 'utf8'))
    expect(note).toMatchObject({ reason: 'kaputt', attempts: 1, projectId: 1 })
    await reader.close()
    await writer.close()
  })

  it('wakes at once when another process publishes, without waiting for the poll', async () => {
    const reader = await openLogQueueReader(folder, { pollMs: 60_000 })
    const taken = reader.take(1, minute)
    const names = await publishAndKill(0)
    const [first] = textsOf(await taken)
    expect(first).toMatch(/^0-\d+-0 /)
    expect(names.length).toBeGreaterThan(0)
    await reader.close()
  }, 10_000)

  it('loses nothing that was acknowledged when its writer is killed', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) acknowledged.push(...(await publishAndKill(round)))
    const writer = await openLogQueueWriter(folder)
    await writer.publish(delivery('last'))
    const reader = await openLogQueueReader(folder)
    const seen = new Set<string>()
    while (!seen.has('last')) {
      const leases = await reader.take(500, minute)
      for (const text of textsOf(leases)) seen.add(text.split(' ')[0] ?? '')
      await reader.done(leases)
    }
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((name) => !seen.has(name))).toEqual([])
    await reader.close()
    await writer.close()
  }, 30_000)

  /**
   * Publishes from a child process and kills it in mid-flight; returns the names that it had
   * acknowledged.
   */
  async function publishAndKill(round: number): Promise<string[]> {
    const script = fileURLToPath(new URL('./publish-forever.fixture.ts', import.meta.url))
    const child = spawn(process.execPath, [script, folder, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const names: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.endsWith('.')) names.push(line.slice(0, -1))
      if (names.length === 400 + round * 137) child.kill('SIGKILL')
    }
    return names
  }
})

function flipped(bytes: Buffer, from: number, count: number): Buffer {
  for (let at = from; at < from + count; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}
