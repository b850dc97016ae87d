'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

export function TooltipProvider(props: { readonly children: ReactNode }) {
  return <Base.Provider delay={500}>{props.children}</Base.Provider>
}

/** Names an icon, and the key that does the same. The trigger keeps its own `aria-label`. */
export function Tooltip(props: {
  readonly children: ReactElement
  readonly label: ReactNode
  readonly hint?: string
}) {
  return (
    <Base.Root>
      <Base.Trigger render={props.children} />
      <Base.Portal>
        <Base.Positioner className={styles['positioner']} sideOffset={6}>
          <Base.Popup className={styles['tip']}>
            {props.label}
            {props.hint === undefined ? null : <Kbd>{props.hint}</Kbd>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
