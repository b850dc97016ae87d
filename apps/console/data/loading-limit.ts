import { discardPage, watchShown } from '@afterimage/next/client'
import { givingUpEvent, hardAttemptKey, loadingLimitMs, shownEvent } from './first-load.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Watches what the routers draw: each page that appears ends the wait for it, that of the document
 * itself as well (`first-load.ts`).
 */
export function watchLoading(): void {
  watchShown(noteShown)
  addEventListener(givingUpEvent, discardPage)
}

/** Notes that a page has been drawn, and ends the wait for it. */
export function noteShown(): void {
  clearTimeout(timer)
  sessionStorageOrNull()?.removeItem(hardAttemptKey)
  dispatchEvent(new Event(shownEvent))
}

/**
 * Limits a transition (docs/specification.md#s5): when its page has not appeared in time, because its
 * chunk or its data did not arrive, the browser navigates the hard way. The pages mode has a limit of
 * its own, which starts only when the page is idle. The development server compiles pages on demand,
 * so it has no limit.
 */
export function limitTransition(url: string, type: string): void {
  clearTimeout(timer)
  if (process.env.NODE_ENV !== 'production') return
  timer = setTimeout(() => navigateHard(new URL(url, location.href), type), loadingLimitMs)
}

/** Remembers a hard navigation to this address, so that its document does not reload again. */
export function noteHardAttempt(url: string): void {
  clearTimeout(timer)
  sessionStorageOrNull()?.setItem(hardAttemptKey, new URL(url, location.href).href)
}

function navigateHard(url: URL, type: string): void {
  noteHardAttempt(url.href)
  if (url.href === location.href) location.reload()
  else if (type === 'replace') location.replace(url)
  else location.assign(url)
}

/** Returns null where the browser stores nothing for this site: each document then tries anew. */
function sessionStorageOrNull(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
