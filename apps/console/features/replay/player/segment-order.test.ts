import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import {
  hasPictureAt,
  nextPlaces,
  pendingParts,
  placeAt,
  type ReadSegment,
} from './segment-order.ts'

/** Segments of ten seconds each. */
const listed = (count: number) =>
  Array.from({ length: count }, (_, segmentId) => ({
    segmentId,
    firstAt: 1_000 + segmentId * 10_000,
    lastAt: 10_000 + segmentId * 10_000,
  }))

/** Describes read segments: their places, and which of them begin with a snapshot. */
function readOf(places: readonly number[], snapshots: readonly number[]): Map<number, ReadSegment> {
  return new Map(
    places.map((place) => [
      place,
      { snapshotAt: snapshots.includes(place) ? 1_000 + place * 10_000 : null },
    ]),
  )
}

test('first comes the beginning, then the cursor back to its page, then what is next, then the rest', () => {
  const list = listed(44)
  const time = 400_500
  expect(placeAt(list, time)).toBe(39)
  expect(nextPlaces(list, readOf([], []), time)).toEqual({ from: 0, count: 4 })
  expect(nextPlaces(list, readOf([0, 1], [0]), time)).toEqual({ from: 39, count: 4 })
  const around = [0, 1, 39, 40, 41, 42]
  expect(nextPlaces(list, readOf(around, [0]), time)).toEqual({ from: 35, count: 4 })
  expect(hasPictureAt(list, readOf(around, [0]), time)).toBe(false)
  expect(hasPictureAt(list, readOf(around, [0, 39]), time)).toBe(true)
  expect(nextPlaces(list, readOf(around, [0, 39]), time)).toEqual({ from: 43, count: 1 })
  expect(nextPlaces(list, readOf([...around, 43], [0, 39]), time)).toEqual({ from: 2, count: 20 })
})

test('a snapshot later than the cursor is of another page', () => {
  const read = new Map([
    [0, { snapshotAt: 1_000 }],
    [2, { snapshotAt: 29_000 }],
  ])
  expect(nextPlaces(listed(3), read, 22_000)).toEqual({ from: 1, count: 1 })
})

test('the missing parts are returned as stretches', () => {
  expect(pendingParts(listed(6), readOf([0, 3], [0]))).toEqual([
    { at: 11_000, until: 30_000 },
    { at: 41_000, until: 60_000 },
  ])
})

test('everything is read once, in any order', () => {
  const list = listed(60)
  fc.assert(
    fc.property(fc.array(fc.nat(600_000)), fc.array(fc.nat(59)), (times, snapshots) => {
      const read = new Map<number, ReadSegment>()
      for (let turn = 0; turn < 200; turn += 1) {
        const next = nextPlaces(list, read, times[turn % Math.max(1, times.length)] ?? 0)
        if (next === null) break
        for (let place = next.from; place < next.from + next.count; place += 1) {
          expect(read.has(place)).toBe(false)
          expect(place).toBeLessThan(60)
          read.set(place, { snapshotAt: snapshots.includes(place) ? place * 10_000 : null })
        }
      }
      expect(read.size).toBe(60)
    }),
  )
})
