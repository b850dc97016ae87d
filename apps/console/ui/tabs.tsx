'use client'

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactElement, ReactNode } from 'react'
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
 * Shows one of several panels in place, chosen by tabs: a `TabList` and the `TabPanel` of the selected
 * tab stand anywhere inside. `render` gives the element that holds them.
 */
export function Tabs(props: {
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly render?: ReactElement
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <Base.Root
      value={props.selected}
      onValueChange={props.onSelect}
      className={props.className}
      {...(props.render === undefined ? {} : { render: props.render })}
    >
      {props.children}
    </Base.Root>
  )
}

/** Draws tabs on a rule. Arrow keys, Home and End choose among them. */
export function TabList(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly className?: string | undefined
}) {
  return (
    <Base.List
      activateOnFocus
      aria-label={props.label}
      className={classes(styles['tabs'], props.className)}
    >
      {props.tabs.map((tab) => (
        <Base.Tab key={tab.id} value={tab.id} className={styles['tab']}>
          {tab.label}
          {tab.count === undefined ? null : <span>{tab.count}</span>}
        </Base.Tab>
      ))}
    </Base.List>
  )
}

/** Draws the panel of one tab, while it is selected. Tab passes the panel by and stops at its contents. */
export function TabPanel(props: {
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <Base.Panel value={props.id} tabIndex={-1} className={props.className}>
      {props.children}
    </Base.Panel>
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
