import styles from './pending-line.module.css'

/** The next page is on its way: a line of ink at the top, after 200 ms, until it is there. */
export function PendingLine() {
  return <span className={styles['line']} role="status" aria-label="Loading" />
}
