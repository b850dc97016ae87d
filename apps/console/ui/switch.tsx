'use client'

import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import styles from './switch.module.css'

/** A setting that acts at once; the words beside it are its label. */
export function Switch(props: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <label className={styles['row']}>
      <Base.Root className={styles['switch']} checked={props.isOn} onCheckedChange={props.onChange}>
        <Base.Thumb className={styles['thumb']} />
      </Base.Root>
      {props.children}
    </label>
  )
}
