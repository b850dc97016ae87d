import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/** A breathing bar of a given size; appears only after 200 ms, so quick answers never flash. */
export function Bone(props: { readonly width?: number | string; readonly height?: number }) {
  const style: CSSProperties = { width: props.width ?? '100%', height: props.height ?? 9 }
  return <span className={styles['bone']} style={style} />
}

/** The words a screen reader hears meanwhile. */
export function Loading(props: { readonly what: string }) {
  return (
    <p role="status" className="visually-hidden">
      Loading {props.what}…
    </p>
  )
}
