'use client'

import {
  ChevronsUpDown,
  FolderPlus,
  Keyboard,
  Layers,
  LogOut,
  Monitor,
  Moon,
  Search,
  Settings2,
  Sun,
} from 'lucide-react'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Mark } from '../../ui/logo.tsx'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { Link } from '../../ui/navigation.tsx'
import type { Place, ShellProject, ShellUser, Theme } from './places.ts'
import styles from './masthead.module.css'

interface MastheadProps {
  readonly organization: string
  readonly places: readonly Place[]
  /** The reader's place; null on pages outside of all places. */
  readonly current: string | null
  readonly projects: readonly ShellProject[]
  readonly project: ShellProject | null
  /** Returns the address for a chosen project; null means all of them. */
  readonly projectHref: (slug: string | null) => string
  readonly user: ShellUser
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly onPalette: () => void
  readonly onHelp: () => void
  readonly onSignOut: () => void
}

/** The console's head: mark, project, places, palette, settings, the reader. 48px. */
export function Masthead(props: MastheadProps) {
  return (
    <header className={styles['masthead']}>
      <Link className={styles['brand']} href="/issues" aria-label="Afterimage">
        <Mark />
        <span className={styles['wordmark']}>Afterimage</span>
      </Link>
      <ProjectSwitcher {...props} />
      <nav className={styles['nav']} aria-label="Main">
        {props.places.map((place) => (
          <Link
            key={place.id}
            href={place.href}
            className={styles['place']}
            aria-current={place.id === props.current ? 'page' : undefined}
          >
            {place.label}
          </Link>
        ))}
      </nav>
      <button type="button" className={styles['jump']} onClick={props.onPalette}>
        <Search size={14} aria-hidden />
        <span>Jump to, or act on…</span>
        <Kbd>⌘K</Kbd>
      </button>
      <Button
        look="bare"
        isIcon
        className={styles['phoneSearch'] ?? ''}
        aria-label="Jump to, or act on"
        onClick={props.onPalette}
      >
        <Search size={18} aria-hidden />
      </Button>
      <ButtonLink
        look="bare"
        isIcon
        href="/settings"
        className={styles['wide'] ?? ''}
        aria-label="Settings"
        title="Settings"
        aria-current={props.current === 'settings' ? 'page' : undefined}
      >
        <Settings2 size={16} aria-hidden />
      </ButtonLink>
      <UserMenu {...props} />
    </header>
  )
}

function ProjectSwitcher(props: MastheadProps) {
  return (
    <Menu
      trigger={
        <button type="button" className={styles['project']} title="Choose a project">
          <span className="visually-hidden">Choose a project, now: </span>
          <span className={styles['organization']}>{props.organization}</span>
          <span className={styles['projectName']}>{props.project?.name ?? 'all projects'}</span>
          <ChevronsUpDown size={12} aria-hidden />
        </button>
      }
    >
      <MenuLink
        icon={<Layers size={14} aria-hidden />}
        href={props.projectHref(null)}
        isChecked={props.project === null}
      >
        All projects
      </MenuLink>
      <MenuGroup label="Projects">
        {props.projects.map((project) => (
          <MenuLink
            key={project.slug}
            href={props.projectHref(project.slug)}
            isChecked={project.slug === props.project?.slug}
            note={project.hasEvents ? undefined : 'no events yet'}
          >
            {project.name}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={<FolderPlus size={14} aria-hidden />} href="/projects/new">
        New project
      </MenuLink>
    </Menu>
  )
}

const THEMES: readonly (readonly [Theme, string, typeof Sun])[] = [
  ['system', 'Match the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
]

function UserMenu(props: MastheadProps) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={styles['user']} title={`Account of ${props.user.name}`}>
          <Avatar name={props.user.name} />
        </button>
      }
    >
      <div className={styles['who']}>
        <b>{props.user.name}</b>
        <span>{props.user.email}</span>
      </div>
      <MenuSeparator />
      <MenuGroup label="Theme">
        {THEMES.map(([theme, label, Icon]) => (
          <MenuItem
            key={theme}
            icon={<Icon size={14} aria-hidden />}
            isChecked={theme === props.theme}
            onSelect={() => props.onTheme(theme)}
          >
            {label}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={<Settings2 size={14} aria-hidden />} href="/settings" keys={['g', 's']}>
        Settings
      </MenuLink>
      <MenuItem icon={<Keyboard size={14} aria-hidden />} keys={['?']} onSelect={props.onHelp}>
        Keys
      </MenuItem>
      <MenuItem icon={<LogOut size={14} aria-hidden />} onSelect={props.onSignOut}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
