/** Wrong passwords that one account takes within the window, from all addresses together. */
const FAILURES_MAX = 20
const WINDOW_MS = 15 * 60_000
/** Accounts remembered, those that exist or not; past it the one that failed longest ago is forgotten. */
const ACCOUNTS_MAX = 10_000

interface Failures {
  count: number
  firstAt: number
}

/**
 * Counts wrong passwords by account, whatever address they come from: a limit by address alone stops
 * nobody who has many of them.
 */
export class AccountLimits {
  readonly #failures = new Map<string, Failures>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Tells whether the account is locked, except for an address that has signed in to it. */
  isExhausted(email: string): boolean {
    const found = this.#failures.get(accountOf(email))
    if (found === undefined) return false
    return found.count >= FAILURES_MAX && this.#now() - found.firstAt < WINDOW_MS
  }

  failed(email: string): void {
    const account = accountOf(email)
    const found = this.#failures.get(account)
    this.#failures.delete(account)
    const isOld = found === undefined || this.#now() - found.firstAt >= WINDOW_MS
    this.#failures.set(
      account,
      isOld ? { count: 1, firstAt: this.#now() } : { ...found, count: found.count + 1 },
    )
    if (this.#failures.size <= ACCOUNTS_MAX) return
    const oldest = this.#failures.keys().next().value
    if (oldest !== undefined) this.#failures.delete(oldest)
  }

  succeeded(email: string): void {
    this.#failures.delete(accountOf(email))
  }
}

function accountOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
