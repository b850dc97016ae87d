import type { ReactNode } from 'react'
import { Mark } from '../../ui/logo.tsx'
import styles from './share.module.css'

/** Draws the head of a shared page: its console, and a note that it was shared. */
export function ShareMast(props: { readonly what: string; readonly children?: ReactNode }) {
  return (
    <header className={styles['mast']}>
      <span className={styles['brand']}>
        <Mark />
        Afterimage
      </span>
      <span className={styles['shared']}>{props.what}, shared with you by its link</span>
      <span className={styles['grow']} />
      {props.children}
    </header>
  )
}
