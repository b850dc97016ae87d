import { expect, test } from 'vitest'
import { pointerAt, pointerTrack } from './pointer-track.ts'

const move = (timestamp: number, ...offsets: number[]) => ({
  type: 3,
  timestamp,
  data: {
    source: 1,
    positions: offsets.map((timeOffset) => ({
      x: timestamp + timeOffset,
      y: 1,
      id: 7,
      timeOffset,
    })),
  },
})
const click = (timestamp: number) => ({
  type: 3,
  timestamp,
  data: { source: 2, type: 2, id: 8, x: 5, y: 6 },
})

test('a move is where it was when it happened, not when it was written down', () => {
  const track = pointerTrack([click(600), move(1_000, -500, -100, 0)])
  expect(track.map((point) => point.at)).toEqual([500, 600, 900, 1_000])
  expect(pointerAt(track, 550, 0)?.point.x).toBe(500)
  expect(pointerAt(track, 499, 0)).toBeNull()
})

test('the trail and the press are of the last moments and of the same page', () => {
  const track = pointerTrack([click(600), move(1_000, -500, -100, 0)])
  expect(pointerAt(track, 950, 0)).toMatchObject({ point: { x: 900 }, sincePress: 350 })
  expect(pointerAt(track, 950, 0)?.trail).toHaveLength(3)
  expect(pointerAt(track, 1_000, 700)).toMatchObject({ sincePress: null })
  expect(pointerAt(track, 1_000, 1_001)).toBeNull()
})
