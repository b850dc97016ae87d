'use client'

import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import styles from './checkbox.module.css'

/** A 14px box with a target of 24px. `mixed` stands for some of many. */
export function Checkbox(props: {
  readonly label: string
  readonly state: 'on' | 'off' | 'mixed'
  readonly onChange: (isOn: boolean, event: Event) => void
}) {
  return (
    <Base.Root
      aria-label={props.label}
      className={styles['check']}
      checked={props.state === 'on'}
      indeterminate={props.state === 'mixed'}
      onCheckedChange={(isOn, details) => props.onChange(isOn, details.event)}
    >
      <Base.Indicator className={styles['mark']}>
        {props.state === 'mixed' ? (
          <Minus size={10} strokeWidth={2.4} aria-hidden />
        ) : (
          <Check size={10} strokeWidth={2.4} aria-hidden />
        )}
      </Base.Indicator>
    </Base.Root>
  )
}
