import { expect, test } from 'vitest'
import { joinSegments } from '../timeline/recording.ts'
import { deriveTimeline, type Timeline } from '../timeline/timeline.ts'
import { createPlayer } from './player.ts'
import type { Stage } from './stage.ts'

const t0 = 1_795_161_831_000

function timelineOf(...moments: number[]): Timeline {
  const events = moments.map((at) => ({
    type: at === 0 ? 2 : 3,
    timestamp: t0 + at,
    data: { source: 1 },
  }))
  return deriveTimeline(joinSegments([{ segmentId: 0, events }]))
}

/** A player whose frames come when the test says so. */
function startPlayer(timeline: Timeline, at = 0, playFrom?: number) {
  let waiting: ((now: number) => void) | null = null
  let now = 0
  const player = createPlayer({
    timeline,
    at,
    ...(playFrom === undefined ? {} : { playFrom }),
    nextFrame: (callback) => {
      waiting = callback
      return 1
    },
    cancelFrame: () => {
      waiting = null
    },
  })
  const pass = (ms: number) => {
    for (let left = ms; left >= 0; left -= 20) {
      const callback = waiting
      waiting = null
      callback?.(now)
      now += 20
    }
  }
  return { player, pass }
}

test('time passes at the chosen speed and stops at the end', () => {
  const { player, pass } = startPlayer(timelineOf(0, 4_000))
  player.setSpeed(2)
  player.play()
  pass(1_000)
  expect(player.at()).toBeGreaterThan(1_900)
  expect(player.at()).toBeLessThan(2_100)
  pass(5_000)
  expect(player.at()).toBe(4_000)
  expect(player.state().isPlaying).toBe(false)
  player.play()
  expect(player.at()).toBe(0)
})

test('an untouched cursor is played from before where it stands, a moved one from there', () => {
  const untouched = startPlayer(timelineOf(0, 4_000, 8_000), 6_000, 1_000).player
  expect(untouched.at()).toBe(6_000)
  untouched.play()
  expect(untouched.at()).toBe(1_000)
  untouched.pause()
  untouched.seek(6_000)
  untouched.play()
  expect(untouched.at()).toBe(6_000)

  const early = startPlayer(timelineOf(0, 4_000), 2_000, -3_000).player
  early.play()
  expect(early.at()).toBe(0)
  // At the end of the recording it is the moment before the error too, not its beginning.
  const late = startPlayer(timelineOf(0, 4_000), 9_000, 1_500).player
  late.play()
  expect(late.at()).toBe(1_500)
})

test('idle time is skipped when asked, and played when not', () => {
  const timeline = timelineOf(0, 1_000, 61_000, 62_000)
  const skipping = startPlayer(timeline, 1_500)
  skipping.player.play()
  skipping.pass(1_000)
  expect(skipping.player.at()).toBeGreaterThan(60_000)
  const patient = startPlayer(timeline, 1_500)
  patient.player.setSkippingIdle(false)
  patient.player.play()
  patient.pass(1_000)
  expect(patient.player.at()).toBeLessThan(3_000)
})

test('the cursor is said to rest after a pause and a seek, never while it moves', () => {
  const { player, pass } = startPlayer(timelineOf(0, 9_000))
  const rests: number[] = []
  player.onRest((at) => rests.push(at))
  player.play()
  pass(500)
  player.seek(3_000)
  expect(rests).toEqual([])
  player.pause()
  player.seek(99_000)
  expect(rests).toEqual([3_000, 9_000])
})

test('speed moves along its steps and stays within them', () => {
  const { player } = startPlayer(timelineOf(0, 9_000))
  for (let count = 0; count < 9; count += 1) player.changeSpeed(1)
  expect(player.state().speed).toBe(8)
  for (let count = 0; count < 9; count += 1) player.changeSpeed(-1)
  expect(player.state().speed).toBe(0.5)
})

test('a picture follows the cursor, and is given the place when it comes late', () => {
  const { player, pass } = startPlayer(timelineOf(0, 9_000), 2_000)
  const calls: string[] = []
  const stage: Stage = {
    draw: (at, speed) => calls.push(`draw ${at} at ${speed}`),
    setEvents: (drawn) => calls.push(`events ${drawn.events.length}`),
    document: () => null,
    close: () => calls.push('close'),
  }
  const detach = player.attach(stage)
  player.seek(4_000)
  player.play()
  pass(40)
  player.pause()
  player.setTimeline(timelineOf(0, 20_000, 30_000))
  detach()
  player.seek(5_000)
  expect(calls).toEqual([
    'events 2',
    'draw 2000 at 0',
    'draw 4000 at 0',
    'draw 4000 at 1',
    'draw 4020 at 1',
    'draw 4040 at 1',
    'draw 4040 at 0',
    'events 3',
    'draw 4040 at 0',
    'close',
  ])
})

test('time stands still where the recording has not come yet, and no picture is drawn of it', () => {
  const events = [0, 9_000, 60_000].map((at) => ({
    type: at === 0 ? 2 : 3,
    timestamp: t0 + at,
    data: { source: 1 },
  }))
  const pending = [{ at: t0 + 10_000, until: t0 + 50_000 }]
  const partial = deriveTimeline(
    joinSegments([{ segmentId: 0, events }], { lastAt: t0 + 60_000, pending }),
  )
  const { player, pass } = startPlayer(partial, 9_900)
  const drawn: number[] = []
  player.attach({
    draw: (at) => drawn.push(at),
    setEvents: () => {},
    document: () => null,
    close: () => {},
  })
  player.play()
  pass(1_000)
  expect(player.state().isWaiting).toBe(true)
  expect(player.at()).toBeLessThan(10_100)
  expect(Math.max(...drawn)).toBeLessThan(10_000)
  // Its page may have changed in what is missing.
  player.seek(55_000)
  expect(player.state().isWaiting).toBe(true)
  player.setTimeline(deriveTimeline(joinSegments([{ segmentId: 0, events }])))
  expect(player.state().isWaiting).toBe(false)
  expect(drawn.at(-1)).toBe(55_000)
})

test('a recording without length does not play', () => {
  const { player } = startPlayer(timelineOf())
  player.toggle()
  expect(player.state().isPlaying).toBe(false)
})
