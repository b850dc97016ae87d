'use client'

import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './palette.module.css'

export interface PaletteAction {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly keys?: readonly string[]
  readonly act: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly actions: readonly PaletteAction[]
}

interface Current {
  /** Subject of the page: "STORE-3F7". */
  readonly name: string
  readonly group: PaletteGroup
}

const CurrentContext = createContext<(current: Current | null) => void>(() => {})

/** Offers the actions on the thing this page is about while it is shown. Keep `current` stable. */
export function usePaletteActions(current: Current | null): void {
  const set = useContext(CurrentContext)
  useEffect(() => {
    set(current)
    return () => set(null)
  }, [current, set])
}

interface PaletteProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly groups: readonly PaletteGroup[]
  /** Called with what was typed when it looks like an id: `STORE-3F7`, 32 hex, a number. */
  readonly onJump: (id: string) => void
  readonly children: ReactNode
}

/** ⌘K: acts on the current thing first, then goes to others. Wraps the page, so it can register. */
export function Palette(props: PaletteProps) {
  const [current, setCurrent] = useState<Current | null>(null)
  const value = useMemo(() => setCurrent, [])
  // Opened again while it still fades out, it is another palette: nothing typed before is in it.
  const [opening, setOpening] = useState({ isOpen: props.isOpen, count: 0 })
  if (opening.isOpen !== props.isOpen) {
    setOpening({ isOpen: props.isOpen, count: opening.count + (props.isOpen ? 1 : 0) })
  }
  return (
    <CurrentContext.Provider value={value}>
      {props.children}
      <Dialog
        isOpen={props.isOpen}
        onOpenChange={props.onOpenChange}
        title="Jump to, or act on"
        size="wide"
        isBare
      >
        <PaletteList
          key={opening.count}
          current={current}
          groups={current === null ? props.groups : [current.group, ...props.groups]}
          onDone={() => props.onOpenChange(false)}
          onJump={props.onJump}
        />
      </Dialog>
    </CurrentContext.Provider>
  )
}

function PaletteList(props: {
  readonly current: Current | null
  readonly groups: readonly PaletteGroup[]
  readonly onDone: () => void
  readonly onJump: (id: string) => void
}) {
  const { current, groups } = props
  const [text, setText] = useState('')
  const id = jumpTarget(text)
  return (
    // An id says exactly what is meant: it stands first, whatever resembles it.
    <Command
      loop
      label="Jump to, or act on"
      className={styles['palette']}
      shouldFilter={id === null}
    >
      <div className={styles['field']}>
        <Search size={14} aria-hidden />
        <Command.Input value={text} onValueChange={setText} placeholder="Jump to, or act on…" />
        {current === null ? null : <span>{current.name}</span>}
      </div>
      <Command.List className={styles['list']}>
        <Command.Empty className={styles['empty']}>No place or action matches.</Command.Empty>
        {id === null ? null : (
          <Command.Item
            forceMount
            value={`jump ${id}`}
            className={styles['item']}
            onSelect={() => {
              props.onDone()
              props.onJump(id)
            }}
          >
            <Search size={14} aria-hidden />
            <span>
              Open <code>{id}</code>
            </span>
          </Command.Item>
        )}
        <PaletteGroups groups={id === null ? groups : named(groups, id)} onDone={props.onDone} />
      </Command.List>
    </Command>
  )
}

function PaletteGroups(props: {
  readonly groups: readonly PaletteGroup[]
  readonly onDone: () => void
}) {
  return props.groups.map((group) => (
    <Command.Group key={group.title} heading={group.title} className={styles['group']}>
      {group.actions.map((action) => (
        <Command.Item
          key={action.id}
          value={`${group.title} ${action.label} ${action.id}`}
          className={styles['item']}
          onSelect={() => {
            props.onDone()
            action.act()
          }}
        >
          {action.icon}
          <span>{action.label}</span>
          <span className={styles['keys']}>
            {action.keys?.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  ))
}

function named(groups: readonly PaletteGroup[], id: string): readonly PaletteGroup[] {
  const text = id.toLowerCase()
  return groups
    .map(({ title, actions }) => ({
      title,
      actions: actions.filter(({ label }) => label.toLowerCase().includes(text)),
    }))
    .filter(({ actions }) => actions.length > 0)
}

/** An id one can jump to: a short id, an event, replay or trace id (with dashes or without), a number. */
export function jumpTarget(text: string): string | null {
  const id = text.trim()
  if (/^[a-z][a-z0-9_-]*-[0-9a-z]{1,12}$/i.test(id) && /\d/.test(id)) return id
  if (/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(id)) return id
  return /^\d{1,15}$/.test(id) ? id : null
}
