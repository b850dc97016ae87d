import type { ApiReplay } from '@afterimage/protocol/api/replay'

/** Returns the best known name of the person: a name, an address, an id, or a placeholder. */
export function personOf(replay: Pick<ApiReplay, 'user'>): string {
  const { user } = replay
  const known = user.username ?? user.display_name ?? user.email ?? user.id ?? user.ip
  return known === null || known === '' ? 'Someone' : shortened(known)
}

/** `Safari 17.6, macOS 15`; null when neither is known. */
export function machineOf(replay: Pick<ApiReplay, 'browser' | 'os'>): string | null {
  const parts = [named(replay.browser), named(replay.os)].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
}

export function named(thing: {
  readonly name: string | null
  readonly version: string | null
}): string | null {
  if (thing.name === null || thing.name === '') return null
  return thing.version === null || thing.version === ''
    ? thing.name
    : `${thing.name} ${thing.version}`
}

/** An id of 32 digits is recognised by its ends. */
function shortened(text: string): string {
  return /^[0-9a-f-]{20,}$/i.test(text) ? `${text.slice(0, 4)}…${text.slice(-2)}` : text
}

export interface ListFacts {
  /** Replays in the range and filter; null when the server does not count. */
  readonly total: number | null
  /** On this page. */
  readonly shown: readonly Pick<
    ApiReplay,
    'count_errors' | 'count_rage_clicks' | 'count_dead_clicks'
  >[]
  readonly hasMore: boolean
}

/** A part of a sentence; `href` sets the filter that the number stands for. */
export interface SentencePart {
  readonly text: string
  readonly filter?: 'errors' | 'rage' | 'dead'
}

/**
 * Writes the sentence that opens the list. When there are more pages it speaks of this page, since
 * only its replays were counted.
 */
export function listSentence(facts: ListFacts): readonly SentencePart[] {
  const count = facts.total ?? facts.shown.length
  if (count === 0) return [{ text: 'No replays.' }]
  const isWhole = !facts.hasMore
  const withErrors = facts.shown.filter((replay) => replay.count_errors > 0).length
  const withRage = facts.shown.filter((replay) => replay.count_rage_clicks > 0).length
  const withDead = facts.shown.filter((replay) => replay.count_dead_clicks > 0).length
  const parts: SentencePart[] = []
  if (withErrors > 0) parts.push({ text: `${withErrors} met an error`, filter: 'errors' })
  if (withRage > 0) parts.push({ text: `${withRage} clicked in rage`, filter: 'rage' })
  else if (withDead > 0)
    parts.push({ text: `${withDead} clicked on something dead`, filter: 'dead' })
  const subject = isWhole
    ? count === 1
      ? 'One replay'
      : `${count} replays`
    : `The newest ${facts.shown.length} replays`
  if (parts.length === 0) return [{ text: `${subject}, none with an error or a dead click.` }]
  const joined: SentencePart[] = [{ text: `${subject}: ` }]
  parts.forEach((part, index) => {
    joined.push(part)
    joined.push({ text: index === parts.length - 1 ? '.' : ', ' })
  })
  return joined
}
