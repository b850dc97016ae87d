import { expect, test } from 'vitest'
import type { Effect, ProcessedEnvelope, ReleaseEffect } from '../../storage/events/port.ts'
import { thinReleaseEffects } from './thin-release-effects.ts'

function envelope(projectId: number, ...effects: ReleaseEffect[]): ProcessedEnvelope {
  const item = { type: 'event', quantity: 1, rows: [], blobs: [], refusal: null }
  return {
    deliveryId: 'd',
    projectId,
    receivedAt: 0,
    items: effects.map((effect) => ({ ...item, effects: [effect] })),
  }
}

function seen(
  timestamp: number,
  release = 'a@1',
  environment: string | null = 'prod',
): ReleaseEffect {
  return { type: 'release', release, environment, timestamp }
}

function times(envelopes: readonly ProcessedEnvelope[]): number[] {
  return envelopes.flatMap(({ items }) =>
    items.flatMap(({ effects }) =>
      effects.map((effect) => ('timestamp' in effect ? effect.timestamp : -1)),
    ),
  )
}

test('only the earliest and the latest sighting of a release in a batch are left', () => {
  const batch = [envelope(1, seen(5), seen(3)), envelope(1, seen(9), seen(4))]
  expect(times(thinReleaseEffects(batch))).toEqual([3, 9])
})

/** Three sightings, of which the one between goes. */
function ofOne(time: number, ...names: [string?, (string | null)?]): ReleaseEffect[] {
  return [time, time + 2, time + 1].map((at) => seen(at, ...names))
}

test('projects, releases and environments are apart', () => {
  const batch = [
    envelope(1, ...ofOne(1), ...ofOne(11, 'b@1'), ...ofOne(21, 'a@1', null)),
    envelope(1, ...ofOne(31, 'a@1', 'test')),
    envelope(2, ...ofOne(41)),
  ]
  expect(times(thinReleaseEffects(batch))).toEqual([1, 3, 11, 13, 21, 23, 31, 33, 41, 43])
})

test('one of several sightings at one time is left', () => {
  expect(times(thinReleaseEffects([envelope(1, seen(5), seen(5), seen(5))]))).toEqual([5])
})

test('effects of other kinds all stay, beside what is left and what is not', () => {
  const other = {
    type: 'issue',
    release: 'a@1',
    environment: 'prod',
    timestamp: 4,
  } as unknown as Effect
  const item = { type: 'event', quantity: 1, rows: [], blobs: [], refusal: null }
  const items = [
    [other, seen(4)],
    [seen(3), other, seen(4)],
    [other, seen(9)],
    [other, other],
  ].map((effects) => ({ ...item, effects }))
  const [thinned] = thinReleaseEffects([{ ...envelope(1), items }])
  expect(thinned?.items.map(({ effects }) => effects)).toEqual([
    [other],
    [seen(3), other],
    [other, seen(9)],
    [other, other],
  ])
})
