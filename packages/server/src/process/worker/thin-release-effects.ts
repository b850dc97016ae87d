import type { Effect, ProcessedEnvelope, ReleaseEffect } from '../../storage/events/port.ts'

interface Seen {
  first: ReleaseEffect
  last: ReleaseEffect
}

/**
 * Leaves of the sightings of one release in one environment only the earliest and the latest of a
 * batch: first and last seen come out the same, and metadata has a thousand times less to write.
 */
export function thinReleaseEffects(
  envelopes: readonly ProcessedEnvelope[],
): readonly ProcessedEnvelope[] {
  const seen = new Map<string, Seen>()
  for (const { projectId, items } of envelopes) {
    for (const { effects } of items) {
      for (const effect of effects) if (effect.type === 'release') note(seen, projectId, effect)
    }
  }
  const kept = new Set<Effect>()
  for (const { first, last } of seen.values()) kept.add(first).add(last)
  return envelopes.map((envelope) => ({
    ...envelope,
    items: envelope.items.map((item) =>
      item.effects.every((effect) => effect.type !== 'release' || kept.has(effect))
        ? item
        : {
            ...item,
            effects: item.effects.filter((effect) => effect.type !== 'release' || kept.has(effect)),
          },
    ),
  }))
}

function note(seen: Map<string, Seen>, projectId: number, effect: ReleaseEffect): void {
  const key = `${projectId}\n${effect.release ?? ''}\n${effect.environment ?? ''}`
  const known = seen.get(key)
  if (!known) seen.set(key, { first: effect, last: effect })
  else if (effect.timestamp < known.first.timestamp) known.first = effect
  else if (effect.timestamp > known.last.timestamp) known.last = effect
}
