import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { RefusedValue } from '../refused-value.ts'
import type { Metadata } from './port.ts'

/** The contract of every adapter of the metadata port. `open` returns an empty, migrated store. */
export function metadataContract(name: string, open: () => Promise<Metadata>): void {
  describe(`metadata contract: ${name}`, () => {
    let metadata: Metadata
    beforeEach(async () => {
      metadata = await open()
    })
    afterEach(() => metadata.close())

    const insert =
      'insert into projects (slug, name, created_at) values (?, ?, ?) returning id, slug'

    test('answers the rows of a select and of returning', async () => {
      const [project] = await metadata.all<{ id: number; slug: string }>(insert, 'web', 'Web', 7)
      expect(project?.slug).toBe('web')
      expect(
        await metadata.all('select name, platform from projects where slug = ?', 'web'),
      ).toEqual([{ name: 'Web', platform: null }])
      expect(await metadata.all("update projects set name = 'W'")).toEqual([])
    })

    test('says when it is the values that it does not take', async () => {
      await metadata.all(insert, 'web', 'Web', 7)
      await expect(metadata.all(insert, 'web', 'Again', 8)).rejects.toThrow(RefusedValue)
      await expect(metadata.all(insert, null, 'Web', 9)).rejects.toThrow(RefusedValue)
      const mistaken = await metadata.all('select nothing from nowhere').catch((it: unknown) => it)
      expect(mistaken).toBeInstanceOf(AppError)
      expect(mistaken).not.toBeInstanceOf(RefusedValue)
    })

    test('a transaction commits as a whole', async () => {
      await metadata.transaction(async (tx) => {
        await tx.all(insert, 'a', 'A', 1)
        await tx.all(insert, 'b', 'B', 1)
      })
      expect(await metadata.all('select count(*) as n from projects')).toEqual([{ n: 2 }])
    })

    test('a transaction whose body rejects leaves nothing, and the next one works', async () => {
      const failing = metadata.transaction(async (tx) => {
        await tx.all(insert, 'a', 'A', 1)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await metadata.all('select slug from projects')).toEqual([])
      await metadata.transaction((tx) => tx.all(insert, 'b', 'B', 1))
      expect(await metadata.all('select slug from projects')).toEqual([{ slug: 'b' }])
    })

    test('a write from elsewhere does not land in an open transaction, nor vanish with it', async () => {
      const gate = Promise.withResolvers<void>()
      const failing = metadata.transaction(async (tx) => {
        await tx.all(insert, 'inside', 'I', 1)
        await gate.promise
        throw new Error('rolled back')
      })
      const outside = metadata.all(insert, 'outside', 'O', 1)
      gate.resolve()
      await expect(failing).rejects.toThrow('rolled back')
      await outside
      expect(await metadata.all('select slug from projects')).toEqual([{ slug: 'outside' }])
    })

    test('transactions run one after the other, in the order they were asked for', async () => {
      const log: string[] = []
      const run = (label: string) =>
        metadata.transaction(async (tx) => {
          log.push(`${label} begins`)
          await tx.all(insert, label, label, 1)
          await Promise.resolve()
          log.push(`${label} ends`)
        })
      await Promise.all([run('a'), run('b'), run('c')])
      expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    })

    test('a broken rule is a STORAGE_FAILED that says which', async () => {
      await metadata.all(insert, 'web', 'Web', 7)
      await expect(metadata.all(insert, 'web', 'Web', 7)).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining('projects.slug'),
      })
    })
  })
}
