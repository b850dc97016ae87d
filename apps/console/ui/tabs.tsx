'use client'

import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Link } from './navigation.tsx'
import styles from './tabs.module.css'

export interface Tab {
  readonly id: string
  readonly label: ReactNode
  /** Shown after the label, smaller. */
  readonly count?: string | undefined
}

/**
 * Tabs that stand on a rule. They show one of several panels in place: give the chosen panel
 * `role="tabpanel"` and the id `<id>-panel`. Arrow keys move between them.
 */
export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly className?: string
}) {
  return (
    <div
      role="tablist"
      aria-label={props.label}
      className={classes(styles['tabs'], props.className)}
    >
      {props.tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${tab.id}-tab`}
          aria-controls={`${tab.id}-panel`}
          aria-selected={tab.id === props.selected}
          tabIndex={tab.id === props.selected ? 0 : -1}
          className={classes(styles['tab'], tab.id === props.selected && styles['isOn'])}
          onClick={() => props.onSelect(tab.id)}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
            if (step === 0) return
            event.preventDefault()
            const index = props.tabs.findIndex((one) => one.id === props.selected)
            const next = props.tabs[(index + step + props.tabs.length) % props.tabs.length]
            if (next === undefined) return
            props.onSelect(next.id)
            document.getElementById(`${next.id}-tab`)?.focus()
          }}
        >
          {tab.label}
          {tab.count === undefined ? null : <span>{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}

/** One of a few ways to see the same thing, as small words with an underline. */
export function Segments(props: {
  readonly label: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly selected: string
  readonly onSelect: (id: string) => void
}) {
  return (
    <span role="group" aria-label={props.label} className={styles['segments']}>
      {props.options.map((option) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === props.selected}
          className={classes(
            styles['segment'],
            option.id === props.selected && styles['segmentOn'],
          )}
          onClick={() => props.onSelect(option.id)}
        >
          {option.label}
        </button>
      ))}
    </span>
  )
}

/** Segments whose choice lives in the URL. */
export function LinkSegments(props: {
  readonly label: string
  readonly options: readonly {
    readonly id: string
    readonly label: string
    readonly href: string
  }[]
  readonly selected: string | null
}) {
  return (
    <span role="group" aria-label={props.label} className={styles['segments']}>
      {props.options.map((option) => (
        <Link
          key={option.id}
          href={option.href}
          replace
          scroll={false}
          aria-current={option.id === props.selected ? 'true' : undefined}
          className={classes(
            styles['segment'],
            option.id === props.selected && styles['segmentOn'],
          )}
        >
          {option.label}
        </Link>
      ))}
    </span>
  )
}
