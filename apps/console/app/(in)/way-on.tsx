'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { wayOn } from '../../features/shell/way-on.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './way-on.module.css'

/** Names the page that the address asked for, and links to an existing one. */
export function WayOn() {
  const { said, label, href } = wayOn(
    usePathname() ?? '/',
    new URLSearchParams(useSearchParams()?.toString() ?? ''),
  )
  return (
    <>
      {said === null ? null : <p className={styles['said']}>{said}</p>}
      <p className={styles['on']}>
        <ButtonLink href={href}>{label}</ButtonLink>
      </p>
    </>
  )
}
