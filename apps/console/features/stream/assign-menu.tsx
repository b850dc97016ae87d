'use client'

import { UserX } from 'lucide-react'
import type { ReactElement } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'

export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Chooses the assignee. */
export function AssignMenu(props: {
  readonly trigger: ReactElement
  readonly members: readonly Member[]
  /** Id of the present assignee; null without one. */
  readonly assignee: string | null
  readonly onAssign: (member: Member | null) => void
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}) {
  return (
    <Menu
      align="end"
      trigger={props.trigger}
      {...(props.isOpen === undefined ? {} : { isOpen: props.isOpen })}
      {...(props.onOpenChange === undefined ? {} : { onOpenChange: props.onOpenChange })}
    >
      <MenuGroup label="Assign to">
        {props.members.map((member) => (
          <MenuItem
            key={member.id}
            icon={<Avatar name={member.name} />}
            isChecked={member.id === props.assignee}
            onSelect={() => props.onAssign(member)}
          >
            {member.name}
          </MenuItem>
        ))}
        <MenuItem
          icon={<UserX size={14} aria-hidden />}
          isChecked={props.assignee === null}
          onSelect={() => props.onAssign(null)}
        >
          Nobody
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
