'use client'

import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd.tsx'
import { Link } from './navigation.tsx'
import styles from './popover.module.css'

/** A menu under its trigger. `trigger` is the element that opens it, a `Button` as a rule. */
export function Menu(props: {
  readonly trigger: ReactElement
  readonly align?: 'start' | 'end'
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <Base.Root
      modal={false}
      {...(props.isOpen === undefined ? {} : { open: props.isOpen })}
      {...(props.onOpenChange === undefined ? {} : { onOpenChange: props.onOpenChange })}
    >
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner
          className={styles['positioner']}
          sideOffset={4}
          align={props.align ?? 'start'}
        >
          <Base.Popup className={styles['popup']}>{props.children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  readonly icon?: ReactNode
  readonly children: ReactNode
  /** Keys that do the same, printed at the right. */
  readonly keys?: readonly string[]
  /** A word or number at the right. */
  readonly note?: ReactNode
}

export function MenuItem(
  props: ItemProps & {
    readonly onSelect: () => void
    readonly isDanger?: boolean
    readonly isDisabled?: boolean
    readonly isChecked?: boolean
  },
) {
  return (
    <Base.Item
      className={styles['item']}
      onClick={props.onSelect}
      disabled={props.isDisabled ?? false}
      data-danger={props.isDanger === true}
    >
      {props.icon}
      <span className={styles['label']}>{props.children}</span>
      <ItemEnd {...props} isChecked={props.isChecked ?? false} />
    </Base.Item>
  )
}

export function MenuLink(
  props: ItemProps & {
    readonly href: string
    readonly isChecked?: boolean
    readonly replace?: boolean
  },
) {
  return (
    <Base.LinkItem
      className={styles['item']}
      closeOnClick
      render={<Link href={props.href} replace={props.replace ?? false} />}
    >
      {props.icon}
      <span className={styles['label']}>{props.children}</span>
      <ItemEnd {...props} isChecked={props.isChecked ?? false} />
    </Base.LinkItem>
  )
}

function ItemEnd(props: Pick<ItemProps, 'keys' | 'note'> & { readonly isChecked: boolean }) {
  if (props.keys === undefined && props.note === undefined && !props.isChecked) return null
  return (
    <span className={styles['keys']}>
      {props.note}
      {props.keys?.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {props.isChecked ? <Check size={14} aria-label="chosen" /> : null}
    </span>
  )
}

export function MenuGroup(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles['group']}>{props.label}</Base.GroupLabel>
      {props.children}
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={styles['separator']} />
}
