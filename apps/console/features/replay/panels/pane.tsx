'use client'

import { ChevronDown, LocateFixed } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { TabList, TabPanel, Tabs, type Tab } from '../../../ui/tabs.tsx'
import styles from './panels.module.css'

/** A stack of tabs over one panel. */
export function Pane(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly selected: string
  readonly onSelect: (id: string) => void
  /** At the right of the tabs. */
  readonly tool?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Tabs
      selected={props.selected}
      onSelect={props.onSelect}
      render={<section aria-label={props.label} />}
      className={styles['pane']}
    >
      <div className={styles['tabLine']}>
        <div className={styles['tabs']}>
          <TabList label={props.label} tabs={props.tabs} />
        </div>
        <div className={styles['tool']}>{props.tool}</div>
      </div>
      <TabPanel id={props.selected} className={styles['panel']}>
        {props.children}
      </TabPanel>
    </Tabs>
  )
}

/** The target: while it is on, lists scroll with the playback. */
export function FollowButton(props: {
  readonly isFollowing: boolean
  readonly onChange: (isFollowing: boolean) => void
}) {
  const label = props.isFollowing ? 'Following the cursor' : 'Follow the cursor'
  return (
    <button
      type="button"
      className={classes(styles['follow'], props.isFollowing && styles['isFollowing'])}
      aria-pressed={props.isFollowing}
      aria-label={label}
      title={label}
      onClick={() => props.onChange(!props.isFollowing)}
    >
      <LocateFixed size={14} aria-hidden />
    </button>
  )
}

export function PaneFilter(props: {
  readonly placeholder: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly children?: ReactNode
}) {
  return (
    <div className={styles['filter']}>
      <SearchField
        label={props.placeholder}
        placeholder={props.placeholder}
        value={props.text}
        onChange={props.onText}
        size="small"
      />
      {props.children}
    </div>
  )
}

/** One of a few words, chosen from a menu under the present one. */
export function Choice<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly id: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}) {
  const chosen = props.options.find((option) => option.id === props.value)
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          className={styles['choice']}
          aria-label={`${props.label}: ${chosen?.label ?? props.value}`}
        >
          {chosen?.label ?? props.value}
          <ChevronDown size={12} aria-hidden />
        </button>
      }
    >
      {props.options.map((option) => (
        <MenuItem
          key={option.id}
          isChecked={option.id === props.value}
          onSelect={() => props.onChange(option.id)}
        >
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** True when every word of the query is somewhere in the text. */
export function matches(query: string, ...texts: readonly string[]): boolean {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
