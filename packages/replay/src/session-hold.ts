import { guard } from '@afterimage/sdk-core/guard'

/** All that a recorder keeps in the tab's storage has a name that begins so. */
const prefix = 'afterimageReplay'
const mark = `${prefix}Held`

/** Which document may use the session that the tab's storage holds. */
export interface SessionHold {
  /** Leaves this document's mark, unless there is another's. */
  claim(): void
  /**
   * The storage to record with; null where the page may not use it, or shares it with another that
   * does. Another's session is taken out of it.
   */
  take(): Storage | null
  /** The document goes: the next one may go on with the session. */
  release(): void
}

/**
 * Browsers copy a tab's storage into one that `window.open` or "Duplicate tab" makes: two tabs would
 * then send the same numbers of one replay. So a document marks the storage from its first script
 * until it goes, and a document that finds a mark which is not its own is in such a copy, or follows a
 * page that crashed: it begins a session of its own. Frames of one tab share its storage itself; there
 * the first document keeps it.
 *
 * The mark needs no lock and no channel: browsers do not freeze pages that hold a lock.
 */
export function createSessionHold(): SessionHold {
  let isOurs = false
  const hold: SessionHold = {
    claim() {
      guard(() => {
        if (sessionStorage.getItem(mark) !== null) return
        sessionStorage.setItem(mark, '1')
        isOurs = true
      })
    },
    take() {
      return guard(() => {
        hold.claim()
        if (!isOurs) {
          if (globalThis.parent !== globalThis.self) return null
          for (const name of Object.keys(sessionStorage)) {
            if (name.startsWith(prefix)) sessionStorage.removeItem(name)
          }
          hold.claim()
        }
        return sessionStorage
      }, null)
    },
    release() {
      if (isOurs) guard(() => sessionStorage.removeItem(mark))
      isOurs = false
    },
  }
  return hold
}
