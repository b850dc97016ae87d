import { createId } from '@afterimage/protocol/ids'
import { idleExpiryMs, replayMaxMs } from './limits.ts'

/** One person's visit in one tab, over several pages. Kept in the tab's session storage. */
export interface Session {
  /** The id of the replay too. */
  readonly id: string
  /** Time of its first kept event, ms since the epoch. */
  startedAt: number
  /** Time of the newest click, input or navigation. */
  lastActivityAt: number
  /** Number of the next segment. */
  segmentId: number
  /** The result of the roll; it never changes, so that all segments are of one type. */
  readonly sampled: 'session' | 'buffer' | false
  /** An error happened in buffer mode: since then the session is sent. */
  isConverted: boolean
}

const key = 'afterimageReplay'

/**
 * Creates a session; its one roll decides for all of it. The rates are the share of sessions sent
 * from their beginning, and the share of errors that send the time before them.
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
 * Tells whether a session is over: the page was idle for 15 minutes, or the session is an hour old.
 * A buffer has no age, since its beginning moves on.
 */
export function isOver(session: Session, nowMs: number, maxMs = replayMaxMs): boolean {
  return (
    session.lastActivityAt + idleExpiryMs <= nowMs ||
    (isSent(session) && session.startedAt + Math.min(maxMs, replayMaxMs) <= nowMs)
  )
}

/** Tells whether the session's events are sent as they come. */
export function isSent(session: Session): boolean {
  return session.sampled === 'session' || session.isConverted
}

/** Loads the tab's session; null when there is none, or it is not readable. */
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

/** Saves the session; null removes it. Without storage a session ends with its page. */
export function saveSession(storage: Storage | null, session: Session | null): void {
  try {
    storage!.setItem(key, JSON.stringify(session))
  } catch {}
}
