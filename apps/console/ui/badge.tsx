import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './badge.module.css'

export type Tone =
  | 'new'
  | 'regressed'
  | 'escalating'
  | 'resolved'
  | 'archived'
  | 'warning'
  | 'error'
  | 'info'
  | 'quiet'

/** An icon and a word in its hue, without a box: the word is what counts in greyscale. */
export function Badge(props: {
  readonly tone: Tone
  readonly icon?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <span className={classes(styles['badge'], styles[props.tone])}>
      {props.icon}
      {props.children}
    </span>
  )
}
