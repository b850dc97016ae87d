/** Facts about the connection from a client to this server. */
export interface Check {
  readonly id: string
  readonly state: 'good' | 'bad' | 'waiting'
  readonly title: string
  readonly detail: string
}

export interface Reached {
  /** The front door answered at its health address; null before it was asked. */
  readonly isAnswering: boolean | null
  readonly origin: string
  /** Items of this project by outcome and reason, since the project was made. */
  readonly outcomes: readonly {
    readonly outcome: string
    readonly reason: string
    readonly count: number
  }[]
  readonly firstEventAt: string | null
}

const WORDS: Readonly<Record<string, string>> = {
  filtered: 'left out by a filter',
  rate_limited: 'over a rate limit',
  invalid: 'not readable',
  abuse: 'refused as abuse',
  client_discard: 'dropped by the client itself',
  cardinality_limited: 'over the limit of distinct values',
}

/** Reasons for which a request that names the project is refused unread. */
const KEY_REASONS = ['unknown_key', 'unknown_project']

/** Returns the lines of "What has reached this server", from observed facts only. */
export function checksOf(reached: Reached): Check[] {
  const checks: Check[] = []
  if (reached.isAnswering !== null) {
    checks.push(
      reached.isAnswering
        ? { id: 'address', state: 'good', title: 'The address answers', detail: reached.origin }
        : {
            id: 'address',
            state: 'bad',
            title: 'The address does not answer',
            detail: `${reached.origin} could not be reached from this browser`,
          },
    )
  }
  for (const { outcome, reason, count } of reached.outcomes) {
    if (outcome === 'accepted' || outcome === 'duplicate' || count === 0) continue
    if (KEY_REASONS.includes(reason)) {
      checks.push({
        id: `${outcome}-${reason}`,
        state: 'bad',
        title: `${count === 1 ? 'One request was' : `${count} requests were`} refused with 403: a wrong key`,
        detail:
          'the DSN in the application is not the one on this page, or its key is switched off',
      })
      continue
    }
    checks.push({
      id: `${outcome}-${reason}`,
      state: 'bad',
      title: `${count === 1 ? 'One item was' : `${count} items were`} ${WORDS[outcome] ?? outcome.replaceAll('_', ' ')}`,
      detail: reason === '' ? 'no reason was given' : reason.replaceAll('_', ' '),
    })
  }
  checks.push(
    reached.firstEventAt === null
      ? { id: 'first', state: 'waiting', title: 'First accepted event', detail: 'none yet' }
      : { id: 'first', state: 'good', title: 'First accepted event', detail: 'it is being shown' },
  )
  return checks
}
