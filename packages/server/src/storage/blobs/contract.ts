/** The contract of every blob store. Run by the tests of each adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Blobs } from './port.ts'

export interface BlobsUnderTest {
  open(): Promise<Blobs>
  dispose(): Promise<void>
}

export function blobsContract(name: string, start: () => Promise<BlobsUnderTest>): void {
  describe(`blobs contract: ${name}`, () => {
    let store: BlobsUnderTest
    let blobs: Blobs

    beforeEach(async () => {
      store = await start()
      blobs = await store.open()
    })
    afterEach(async () => {
      await blobs.close()
      await store.dispose()
    })

    async function textOf(key: string): Promise<string | null> {
      const blob = await blobs.get(key)
      return blob === null ? null : new Response(blob.body).text()
    }

    async function keysOf(prefix: string): Promise<string[]> {
      const keys: string[] = []
      for await (const entry of blobs.list(prefix)) keys.push(entry.key)
      return keys
    }

    it('gives back what was put, with its size', async () => {
      await blobs.put('replays/1/0.bin', Buffer.from('hello'))
      expect(await textOf('replays/1/0.bin')).toBe('hello')
      expect((await blobs.get('replays/1/0.bin'))?.bytes).toBe(5)
    })

    it('takes a stream, and an empty body', async () => {
      await blobs.put('a/stream', new Blob(['one ', 'two']).stream())
      await blobs.put('a/empty', new Uint8Array())
      expect(await textOf('a/stream')).toBe('one two')
      expect(await textOf('a/empty')).toBe('')
    })

    it('replaces a key whole', async () => {
      await blobs.put('k', Buffer.from('a long first text'))
      await blobs.put('k', Buffer.from('short'))
      expect(await textOf('k')).toBe('short')
    })

    it('keeps what was there when a stream fails', async () => {
      await blobs.put('k', Buffer.from('before'))
      const failing = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from('half'))
          controller.error(new Error('gone'))
        },
      })
      await expect(blobs.put('k', failing)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
      expect(await textOf('k')).toBe('before')
      expect(await keysOf('')).toEqual(['k'])
    })

    it('answers null for what is not there', async () => {
      await blobs.put('a/b', Buffer.from('x'))
      expect(await blobs.get('a/c')).toBeNull()
      expect(await blobs.get('a')).toBeNull()
      expect(await blobs.get('a/b/c')).toBeNull()
    })

    it('deletes, more than once', async () => {
      await blobs.put('a/b', Buffer.from('x'))
      await blobs.delete('a/b')
      await blobs.delete('a/b')
      await blobs.delete('never/there')
      expect(await blobs.get('a/b')).toBeNull()
    })

    it('lists by prefix, in order of key, with sizes', async () => {
      for (const key of ['b/2', 'a/10', 'a/1', 'a-b/1', 'ab', 'a/1.x']) {
        await blobs.put(key, Buffer.from(key))
      }
      expect(await keysOf('')).toEqual(['a-b/1', 'a/1', 'a/1.x', 'a/10', 'ab', 'b/2'])
      expect(await keysOf('a/1')).toEqual(['a/1', 'a/1.x', 'a/10'])
      expect(await keysOf('a/')).toEqual(['a/1', 'a/1.x', 'a/10'])
      expect(await keysOf('nothing')).toEqual([])
      const entries = []
      for await (const entry of blobs.list('ab')) entries.push(entry)
      expect(entries).toEqual([{ key: 'ab', bytes: 2 }])
    })

    it('refuses invalid keys', async () => {
      for (const key of ['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a b', 'ä', 'a\\b', 'a\0']) {
        await expect(blobs.put(key, Buffer.from('x'))).rejects.toThrow(/not a blob key/)
        await expect(blobs.get(key)).rejects.toThrow(/not a blob key/)
        await expect(blobs.delete(key)).rejects.toThrow(/not a blob key/)
      }
    })

    it('lets two writers of one key leave one whole body', async () => {
      const bodies = Array.from({ length: 8 }, (_, index) => String(index).repeat(5000))
      await Promise.all(bodies.map((body) => blobs.put('same', Buffer.from(body))))
      expect(bodies).toContain(await textOf('same'))
    })

    it('keeps everything over a restart', async () => {
      await blobs.put('a/b', Buffer.from('x'))
      await blobs.close()
      blobs = await store.open()
      expect(await textOf('a/b')).toBe('x')
    })
  })
}
