import styles from './pulse.module.css'

/** The live dot: now, and its after-image leaving. Decoration; the words beside it say what lives. */
export function Pulse(props: { readonly size?: number }) {
  const size = props.size ?? 12
  return <span aria-hidden className={styles['pulse']} style={{ width: size, height: size }} />
}
