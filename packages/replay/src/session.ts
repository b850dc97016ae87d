import { createId } from '@afterimage/protocol/ids'
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

/**
 * A new session; the roll is made once and holds for all of it. The rates are the shares of sessions
 * that are sent from their beginning, and of errors that bring the time before them.
 */
export function createSession(sessionRate: number, onErrorRate: number): Session {
  const nowMs = Date.now()
  return {
    id: createId(),
    startedAt: nowMs,
    lastActivityAt: nowMs,
    segmentId: 0,
    sampled: Math.random() < sessionRate ? 'session' : onErrorRate > 0 && 'buffer',
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
    const session = JSON.parse(storage!.getItem(key)!) as Session
    const { id, startedAt, lastActivityAt, segmentId } = session
    const isSound = /^[\da-f]{32}$/.test(id) && startedAt + lastActivityAt + segmentId > 0
    return isSound ? session : null
  } catch {
    return null
  }
}

/** Storage that refuses makes a session that ends with the page. Null forgets the session. */
export function saveSession(storage: Storage | null, session: Session | null): void {
  try {
    storage!.setItem(key, JSON.stringify(session))
  } catch {}
}
