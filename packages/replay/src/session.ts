import { createId } from '@afterimage/browser/ids'
import { idleExpiryMs, idlePauseMs } from './limits.ts'

/** One person's visit in one tab, over several pages. Kept in the tab's session storage. */
export interface Session {
  /** Also the replay's id. */
  readonly id: string
  /** When its first event that is kept happened, ms since the epoch. */
  startedAt: number
  /** The newest click, input or navigation. */
  lastActivityAt: number
  /** Number of the next segment. */
  segmentId: number
  /** What the roll gave; it never changes, so that all segments are of one type. */
  readonly sampled: 'session' | 'buffer' | false
  /** An error happened in buffer mode: from then on it is sent. */
  isConverted: boolean
}

const key = 'afterimageReplay'

export interface Rates {
  readonly session: number
  readonly onError: number
}

/** A new session; the roll is made once and holds for all of it (S16). */
export function createSession(rates: Rates, nowMs: number): Session {
  const roll = Math.random()
  return {
    id: createId(),
    startedAt: nowMs,
    lastActivityAt: nowMs,
    segmentId: 0,
    sampled: roll < rates.session ? 'session' : rates.onError > 0 ? 'buffer' : false,
    isConverted: false,
  }
}

/**
 * Whether a session is over: nobody used the page for 15 minutes, or it is an hour old. What is
 * only kept in memory has no age: its beginning moves on.
 */
export function isOver(session: Session, nowMs: number, maxMs: number): boolean {
  return (
    session.lastActivityAt + idleExpiryMs <= nowMs ||
    (isSent(session) && session.startedAt + maxMs <= nowMs)
  )
}

/** Whether nobody used the page for five minutes. */
export function isIdle(session: Session, nowMs: number): boolean {
  return session.lastActivityAt + idlePauseMs <= nowMs
}

/** Whether the session's events are sent as they come. */
export function isSent(session: Session): boolean {
  return session.sampled === 'session' || session.isConverted
}

/** The tab's session; null when there is none, or none that can be read. */
export function loadSession(storage: Storage | null): Session | null {
  try {
    const session = JSON.parse(storage?.getItem(key) ?? 'null') as Partial<Session> | null
    const { startedAt, lastActivityAt, segmentId } = session!
    return /^[\da-f]{32}$/.test(session!.id!) &&
      Number.isFinite(startedAt! + lastActivityAt! + segmentId!)
      ? (session as Session)
      : null
  } catch {
    return null
  }
}

/** Storage that refuses makes a session that ends with the page. */
export function saveSession(storage: Storage | null, session: Session | null): void {
  try {
    if (session === null) storage?.removeItem(key)
    else storage?.setItem(key, JSON.stringify(session))
  } catch {}
}

/** The tab's storage; null where the page may not use it. */
export function sessionStorageOrNull(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
