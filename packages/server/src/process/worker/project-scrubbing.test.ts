import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import { defaultScrubbing } from '../steps/scrub/settings.ts'
import { ProjectScrubbing } from './project-scrubbing.ts'

const own = JSON.stringify({ scrubbing: { sensitiveFields: ['iban'] } })

let settings: Record<number, string | null>
let asked: number[]
let failure: Error | null
let scrubbing: ProjectScrubbing

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  settings = { 7: own, 8: null }
  asked = []
  failure = null
  const all = async (_: string, id: number): Promise<unknown[]> => {
    asked.push(id)
    if (failure) throw failure
    return id in settings ? [{ settings: settings[id] }] : []
  }
  const metadata = { all } as unknown as Metadata
  scrubbing = new ProjectScrubbing(metadata, { maxAgeMs: 1000, projectsMax: 2 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a project scrubs by its own settings, one without any or that is gone by the defaults', async () => {
  expect(await scrubbing.of(7)).toEqual({ ...defaultScrubbing, sensitiveFields: ['iban'] })
  expect(await scrubbing.of(8)).toEqual(defaultScrubbing)
  expect(await scrubbing.of(9)).toEqual(defaultScrubbing)
})

test('settings are read again when they are old, and are one object while they are the same', async () => {
  const first = await scrubbing.of(7)
  vi.advanceTimersByTime(999)
  expect(await scrubbing.of(7)).toBe(first)
  expect(asked).toEqual([7])
  vi.advanceTimersByTime(1)
  expect(await scrubbing.of(7)).toBe(first)
  expect(asked).toEqual([7, 7])
  await scrubbing.of(7)
  expect(asked).toEqual([7, 7])
  settings[7] = null
  vi.advanceTimersByTime(1000)
  expect(await scrubbing.of(7)).toEqual(defaultScrubbing)
})

test('no more projects are remembered than the limit', async () => {
  for (const id of [7, 8, 7, 8, 9, 7]) await scrubbing.of(id)
  expect(asked).toEqual([7, 8, 9, 7])
})

test('metadata that fails is never answered by the defaults', async () => {
  failure = new Error('disk')
  await expect(scrubbing.of(7)).rejects.toMatchObject({ code: 'STORAGE_FAILED', cause: failure })
  failure = new AppError('STORAGE_FAILED', 'The disk is full.')
  await expect(scrubbing.of(7)).rejects.toBe(failure)
})
