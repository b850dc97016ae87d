import { CircleDashed, CircleSlash, Lock, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './state.module.css'

export type StateKind = 'empty' | 'nothing' | 'failed' | 'forbidden' | 'paused'

const ICONS: Readonly<Record<StateKind, ReactNode>> = {
  empty: <CircleDashed size={14} aria-hidden />,
  nothing: <SearchX size={14} aria-hidden />,
  failed: <TriangleAlert size={14} aria-hidden />,
  forbidden: <Lock size={14} aria-hidden />,
  paused: <CircleSlash size={14} aria-hidden />,
}

/**
 * Draws a message in place of a list or a panel: empty (nothing yet), nothing (the filter hides all),
 * failed, forbidden, paused. Five states, never mixed up: each its icon, a sentence, one action.
 */
export function State(props: {
  readonly kind: StateKind
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Stands alone on its page rather than in a panel. */
  readonly isPage?: boolean
  /** Stands right under the page's own heading, in no section of it. */
  readonly isList?: boolean
}) {
  const Title = props.isPage === true || props.isList === true ? 'h2' : 'h3'
  return (
    <div
      className={classes(styles['state'], props.isPage === true && styles['page'])}
      role={props.kind === 'failed' ? 'alert' : undefined}
      data-state={props.kind}
    >
      <span
        className={classes(
          styles['icon'],
          (props.kind === 'failed' || props.kind === 'paused') && styles['warning'],
        )}
      >
        {ICONS[props.kind]}
      </span>
      <div>
        <Title className={styles['title']}>{props.title}</Title>
        {props.children === undefined ? null : <p className={styles['text']}>{props.children}</p>}
      </div>
      {props.action === undefined ? null : <div className={styles['action']}>{props.action}</div>}
    </div>
  )
}

/** The state of a part that the API refused: 401 and 403 are forbidden, the rest failed. */
export function RefusedState(props: {
  readonly status: number
  readonly detail: string
  readonly action?: ReactNode
  readonly isPage?: boolean
}) {
  const isForbidden = props.status === 401 || props.status === 403
  return (
    <State
      kind={isForbidden ? 'forbidden' : 'failed'}
      title={isForbidden ? 'Not for your role' : 'This part could not be read'}
      isPage={props.isPage ?? false}
      action={props.action}
    >
      {props.detail}
    </State>
  )
}
