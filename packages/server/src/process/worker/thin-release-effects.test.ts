import { expect, test } from 'vitest'
import type { ProcessedEnvelope, ReleaseEffect } from '../../storage/events/port.ts'
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

test('of one release only the earliest and the latest sighting of a batch are left', () => {
  const batch = [envelope(1, seen(5), seen(3)), envelope(1, seen(9), seen(4))]
  expect(times(thinReleaseEffects(batch))).toEqual([3, 9])
})

test('projects, releases and environments are apart', () => {
  const batch = [envelope(1, seen(1), seen(2, 'b@1'), seen(3, 'a@1', null)), envelope(2, seen(4))]
  expect(times(thinReleaseEffects(batch))).toEqual([1, 2, 3, 4])
})
