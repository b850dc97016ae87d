import { guard } from '@afterimage/sdk-core/guard'

/** Prefix of every key of the recorder in the tab's storage. */
const prefix = 'afterimageReplay'
const mark = `${prefix}Held`

/**
 * Firefox shows a page from the back/forward cache with the tab's storage as the page left it, and
 * keeps from other pages what it writes there. The numbers that follow may be taken by then.
 */
export const isStorageStaleOnReturn = 'mozInnerScreenX' in globalThis

/** Decides which document may use the session in the tab's storage. */
export interface SessionHold {
  /** Sets this document's mark, unless another mark is there. Returns whether the mark is its own. */
  claim(): boolean
  /**
   * Returns the storage to record with, without another tab's session, or any if `isStale`. Null
   * where the page may not use it, or shares it with a document that does.
   */
  take(isStale?: boolean): Storage | null
  /** Releases the session when the document is left: the next one may continue it. */
  release(): void
}

/**
 * Creates the hold. `window.open` and "Duplicate tab" copy a tab's storage, so that two tabs would
 * send the same numbers of one replay. A document therefore marks the storage from its first script
 * until it is left. A foreign mark means a copied tab, or a page that crashed: the document begins
 * a session of its own. Frames share the storage of their tab; there the first document keeps it.
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
      return isOurs
    },
    take(isStale) {
      return guard(() => {
        hold.claim()
        if (!isOurs && globalThis.parent !== globalThis.self) return null
        if (!isOurs || isStale) {
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
