import { expect, test } from 'vitest'
import { pictureAt, sizeAtStart, snapshotsOf } from './picture-at.ts'

const event = (type: number, timestamp: number, data: object = {}) => ({ type, timestamp, data })
const meta = (timestamp: number, width: number) => event(4, timestamp, { width, height: 100 })
const events = [
  meta(0, 800),
  event(2, 5),
  event(3, 10),
  event(3, 20),
  meta(30, 400),
  event(2, 31),
  event(3, 40),
]
const at = (time: number) => pictureAt(events, snapshotsOf(events), time)

test('a picture is a page that had begun and what had happened to it', () => {
  expect(at(0)).toEqual({ snapshot: 1, until: 2 })
  expect(at(9)).toEqual({ snapshot: 1, until: 2 })
  expect(at(10)).toEqual({ snapshot: 1, until: 3 })
  // The next page has announced its window only.
  expect(at(30)).toEqual({ snapshot: 1, until: 5 })
  expect(at(31)).toEqual({ snapshot: 5, until: 6 })
  expect(at(9_999)).toEqual({ snapshot: 5, until: 7 })
  expect(pictureAt([event(3, 1)], [], 1)).toBeNull()
})

test('a page has the window that was said before its snapshot', () => {
  expect(sizeAtStart(events, 1)).toEqual({ width: 800, height: 100 })
  expect(sizeAtStart(events, 5)).toEqual({ width: 400, height: 100 })
  expect(sizeAtStart([event(2, 1)], 0)).toBeNull()
})
