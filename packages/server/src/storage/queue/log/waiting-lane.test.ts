import { expect, test } from 'vitest'
import type { DecodedBlock } from './decoded-blocks.ts'
import { laneCount, laneOf } from './lane.ts'
import { WaitingLane } from './waiting-lane.ts'
import { deliveryOf } from './written-log.fixture.ts'

const start = { segment: 1, offset: 32 }

function laneAt(more: { index?: number; waiting?: number; bytes?: number } = {}): WaitingLane {
  return new WaitingLane({ number: 7, ...start, index: 0, waiting: 5, bytes: 50, ...more })
}

function blockOf(...projects: number[]): DecodedBlock {
  const deliveries = projects.map((project, index) => deliveryOf(project, `${index}`))
  return { deliveries, shareBytes: 10, plainBytes: 100 }
}

function place(offset: number, segment = 1) {
  return { segment, offset }
}

test('projects have lanes by their ids, and ids that no project has share one', () => {
  expect([0, 7, laneCount - 1, laneCount, laneCount + 7, -7].map(laneOf)).toEqual([
    0,
    7,
    laneCount - 1,
    0,
    7,
    7,
  ])
  expect([Number.NaN, 0.5, Number.POSITIVE_INFINITY, 2 ** 60].map(laneOf)).toEqual([0, 0, 0, 0])
})

test('a lane knows its place, and of no block yet', () => {
  const lane = laneAt({ index: 3 })
  expect(lane.state).toEqual({ number: 7, ...start, index: 3, waiting: 5, bytes: 50 })
  expect([lane.next, lane.knownBlocks, lane.isOver, lane.covered]).toEqual([null, 0, false, start])
})

test('its own deliveries are taken, with their places and their shares', () => {
  const lane = laneAt({ waiting: 3, bytes: 30 })
  lane.learn(start)
  expect(lane.takeFrom(blockOf(7, 8, 7, 1031), 9, 9)).toEqual(
    [0, 2, 3].map((index) => ({
      ...start,
      index,
      delivery: blockOf(7, 8, 7, 1031).deliveries[index],
      bytes: 10,
    })),
  )
  expect(lane.state).toMatchObject({ waiting: 0, bytes: 0 })
  expect([lane.next, lane.isOver]).toEqual([null, true])
})

test('a turn takes so many and so many bytes, at least one, and goes on from there', () => {
  const lane = laneAt()
  lane.learn(start)
  const block = blockOf(8, 7, 7, 7, 7)
  const indexes = (max: number, bytes: number) =>
    lane.takeFrom(block, max, bytes).map(({ index }) => index)
  expect(indexes(2, 99)).toEqual([1, 2])
  expect(lane.state).toMatchObject({ ...start, index: 3, waiting: 3, bytes: 30 })
  expect(indexes(9, 1)).toEqual([3])
  expect(lane.next).toEqual(start)
  expect(indexes(9, 99)).toEqual([4])
  expect(lane.next).toBeNull()
})

test('a lane that begins inside of a block takes nothing before', () => {
  const lane = laneAt({ index: 2 })
  lane.learn(start)
  expect(lane.takeFrom(blockOf(7, 7, 7), 9, 99).map(({ index }) => index)).toEqual([2])
})

test('the first block that a lane learns is where it goes on, unless it was there', () => {
  const lane = laneAt({ index: 2 })
  lane.learn(place(500))
  expect(lane.state).toMatchObject({ offset: 500, index: 0 })
  lane.learn(place(900))
  expect([lane.state.offset, lane.knownBlocks]).toEqual([500, 2])
  const same = laneAt({ index: 2 })
  same.learn(start)
  expect(same.state.index).toBe(2)
})

test('a block that is left behind is followed by the next, or by what comes', () => {
  const lane = laneAt()
  lane.learn(place(32))
  lane.learn(place(64))
  lane.covered = place(96)
  lane.skip()
  expect([lane.next, lane.state.offset, lane.knownBlocks]).toEqual([place(64), 64, 1])
  lane.skip()
  expect([lane.next, lane.state.offset, lane.isOver]).toEqual([null, 96, false])
})

test('blocks of a long backlog come in their order', () => {
  const lane = laneAt()
  for (let n = 0; n < 5000; n += 1) lane.learn(place(n))
  for (let n = 0; n < 5000; n += 1) {
    expect([lane.next?.offset, lane.knownBlocks]).toEqual([n, 5000 - n])
    lane.skip()
  }
  expect(lane.next).toBeNull()
})

test('the waiting deliveries are counted, never below zero', () => {
  const lane = laneAt({ waiting: 0, bytes: 5 })
  expect(lane.isOver).toBe(true)
  lane.count(2, 10)
  expect(lane.state).toMatchObject({ waiting: 2, bytes: 15 })
  expect(lane.isOver).toBe(false)
  lane.count(-2, -20)
  expect(lane.state.bytes).toBe(0)
})

test.each([
  [place(0), place(100), true],
  [place(32), place(32), true],
  [place(33), place(100), false],
  [place(0), place(31), false],
  [place(900, 0), place(0, 2), true],
  [place(0, 2), place(0, 3), false],
])('a scan from %j to %j tells a lane at 32 of blocks: %s', (from, to, expected) => {
  expect(laneAt().learnsBetween(from, to)).toBe(expected)
})
