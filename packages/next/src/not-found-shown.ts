'use client'

import { useLayoutEffect } from 'react'

/** Number of not-found pages drawn now: a page of the product can stand in another. */
let drawn = 0

/**
 * Tells the client that what is shown is the 404 page, whatever the address says: its transaction is
 * discarded (docs/specification.md#s10). Put it into `not-found` of the app mode and `404` of the
 * pages mode; it draws nothing.
 */
export function NotFoundShown(): null {
  useLayoutEffect(() => {
    drawn += 1
    return () => void (drawn -= 1)
  }, [])
  return null
}

/** Returns whether the 404 page is what is shown. */
export function isNotFoundShown(): boolean {
  return drawn > 0
}
