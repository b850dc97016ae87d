/** What is known about the way from a client to this server, as lines to be read. */
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

/** The lines of "What has reached this server". Only what was seen is said. */
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
