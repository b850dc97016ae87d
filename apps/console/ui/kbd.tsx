import type { ReactNode } from 'react'
import styles from './kbd.module.css'

/** A key, printed where it acts. */
export function Kbd(props: { readonly children: ReactNode }) {
  return <kbd className={styles['kbd']}>{props.children}</kbd>
}
