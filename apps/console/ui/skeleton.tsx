import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

/** A breathing bar of a given size; appears only after 200 ms, so quick answers never flash. */
export function Bone(props: { readonly width?: number | string; readonly height?: number }) {
  const style: CSSProperties = { width: props.width ?? '100%', height: props.height ?? 9 }
  return <span className={styles['bone']} style={style} />
}

/** Rows of the final height while a list is on its way. */
export function SkeletonRows(props: { readonly rows: number; readonly rowHeight: number }) {
  return (
    <div aria-hidden className={styles['rows']}>
      {Array.from({ length: props.rows }, (_, index) => (
        <div key={index} className={styles['row']} style={{ height: props.rowHeight }}>
          <Bone width={14} height={14} />
          <div className={styles['text']}>
            <Bone width={`${56 - ((index * 7) % 24)}%`} />
            {props.rowHeight >= 40 ? <Bone width={`${34 - ((index * 5) % 14)}%`} /> : null}
          </div>
          <Bone width={88} height={Math.min(20, props.rowHeight - 12)} />
          <Bone width={40} />
        </div>
      ))}
    </div>
  )
}

/** The words a screen reader hears meanwhile. */
export function Loading(props: { readonly what: string }) {
  return (
    <p role="status" className="visually-hidden">
      Loading {props.what}…
    </p>
  )
}
