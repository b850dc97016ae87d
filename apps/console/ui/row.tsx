'use client'

import type { HTMLAttributes, MouseEvent } from 'react'
import { classes } from './classes.ts'
import styles from './row.module.css'

interface RowProps extends HTMLAttributes<HTMLElement> {
  /** `li` in a list; a `div` with `role="row"` in a table. */
  readonly as?: 'li' | 'div'
}

/**
 * Draws a row whose link is the whole row: the link spreads over it by `::after`. Elements with a title
 * are above the link, so that an exact time shows on hover, and pass their clicks on to the link.
 */
export function Row({ as: Tag = 'li', className, ...rest }: RowProps) {
  return <Tag {...rest} className={classes(styles['row'], className)} onClick={followLink} />
}

/* Keys go along: with ⌘ or Ctrl the page opens beside this one, as from the link itself. */
function followLink(event: MouseEvent<HTMLElement>): void {
  const target = event.target as Element
  if (target.closest('a, button, input, label, [role="checkbox"]') !== null) return
  const { ctrlKey, metaKey, shiftKey } = event
  event.currentTarget.querySelector('a[href]')?.dispatchEvent(
    new window.MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      ctrlKey,
      metaKey,
      shiftKey,
    }),
  )
}
