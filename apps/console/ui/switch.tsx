'use client'

import { Switch as Base } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'
import styles from './switch.module.css'

/** A setting that acts at once; the words beside it are its label. */
export function Switch(props: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  const words = useId()
  return (
    <label className={styles['row']}>
      {/* Named here and not by the label around it, which works only once the page is alive. */}
      <Base.Root
        className={styles['switch']}
        checked={props.isOn}
        onCheckedChange={props.onChange}
        aria-labelledby={words}
      >
        <Base.Thumb className={styles['thumb']} />
      </Base.Root>
      <span id={words}>{props.children}</span>
    </label>
  )
}
