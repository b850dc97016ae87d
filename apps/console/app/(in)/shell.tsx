'use client'

import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import {
  CirclePlay,
  FolderPlus,
  Keyboard,
  List,
  Moon,
  SlidersHorizontal,
  SquareChartGantt,
  Sun,
} from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useMemo, useState, type ReactNode } from 'react'
import { chooseTheme, signOut } from '../../data/account.ts'
import { findById } from '../../data/find.ts'
import { KeyHelp } from '../../features/shell/key-help.tsx'
import { Masthead } from '../../features/shell/masthead.tsx'
import { Palette, type PaletteGroup } from '../../features/shell/palette.tsx'
import {
  placeOf,
  placesOf,
  projectHref,
  SETTINGS,
  type Place,
  type ShellProject,
  type ShellUser,
  type Theme,
} from '../../features/shell/places.ts'
import { TabBar } from '../../features/shell/tab-bar.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './layout.module.css'

/** Wires the product's head, palette and keys to the router and to the API. */
export function Shell(props: {
  readonly user: ShellUser
  readonly organization: string
  readonly projects: readonly ShellProject[]
  readonly theme: Theme
  readonly children: ReactNode
}) {
  const router = useRouter()
  const path = usePathname() ?? '/'
  const search = useSearchParams()
  const toast = useToast()
  const [theme, setTheme] = useState(props.theme)
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const params = useMemo(() => new URLSearchParams(search?.toString() ?? ''), [search])
  const places = useMemo(() => placesOf(params), [params])
  useShellKeys(places, router.push, setIsPaletteOpen, setIsHelpOpen)

  const changeTheme = (next: Theme) => {
    chooseTheme(next)
    setTheme(next)
  }
  const leave = async () => {
    const answer = await signOut()
    if (answer.isOk) location.assign('/sign-in')
    else toast({ text: `Signing out failed. ${answer.detail}`, tone: 'failed' })
  }
  const jump = async (id: string) => {
    const href = await findById(id)
    if (href === null)
      toast({ text: `No issue, event, replay or trace has the id ${id}.`, tone: 'failed' })
    else router.push(href)
  }
  const shared = {
    places,
    current: placeOf(path),
    onPalette: () => setIsPaletteOpen(true),
  }
  const slug = params.get('project')
  return (
    <Palette
      isOpen={isPaletteOpen}
      onOpenChange={setIsPaletteOpen}
      groups={paletteGroups(places, props.projects, router.push, changeTheme, () =>
        setIsHelpOpen(true),
      )}
      onJump={(id) => void jump(id)}
    >
      <div className={styles['frame']}>
        <Masthead
          {...shared}
          organization={props.organization}
          projects={props.projects}
          project={props.projects.find((project) => project.slug === slug) ?? null}
          projectHref={(next) => projectHref(path, params, next)}
          user={props.user}
          theme={theme}
          onTheme={changeTheme}
          onHelp={() => setIsHelpOpen(true)}
          onSignOut={() => void leave()}
        />
        {props.children}
        <TabBar {...shared} />
      </div>
      <KeyHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
    </Palette>
  )
}

function useShellKeys(
  places: readonly Place[],
  go: (href: string) => void,
  setIsPaletteOpen: (isOpen: boolean) => void,
  setIsHelpOpen: (isOpen: boolean) => void,
): void {
  useKeys(
    useMemo(
      () => ({
        'mod+k': () => setIsPaletteOpen(true),
        '?': () => setIsHelpOpen(true),
        ...Object.fromEntries(
          [...places, SETTINGS].map(({ keys, href }) => [keys.join(' '), () => go(href)]),
        ),
      }),
      [places, go, setIsPaletteOpen, setIsHelpOpen],
    ),
  )
}

const PLACE_ICONS: Readonly<Record<string, ReactNode>> = {
  issues: <List size={14} aria-hidden />,
  replays: <CirclePlay size={14} aria-hidden />,
  traces: <SquareChartGantt size={14} aria-hidden />,
  settings: <SlidersHorizontal size={14} aria-hidden />,
}

function paletteGroups(
  places: readonly Place[],
  projects: readonly ShellProject[],
  go: (href: string) => void,
  changeTheme: (theme: Theme) => void,
  openHelp: () => void,
): PaletteGroup[] {
  const size = { size: 14, 'aria-hidden': true } as const
  const to = (
    id: string,
    label: string,
    href: string,
    icon: ReactNode,
    keys: readonly string[] = [],
  ) => ({
    id,
    label,
    icon,
    keys,
    act: () => go(href),
  })
  return [
    {
      title: 'Go to',
      actions: [
        ...[...places, SETTINGS].map(({ id, label, href, keys }) =>
          to(id, label, href, PLACE_ICONS[id], keys),
        ),
        to('new-project', 'New project', '/projects/new', <FolderPlus {...size} />),
      ],
    },
    {
      title: 'Projects',
      actions: projects.map((project) =>
        to(
          `project-${project.slug}`,
          project.name,
          project.hasEvents || project.slug === selfProjectSlug
            ? `/issues?project=${project.slug}`
            : `/projects/${project.slug}/start`,
          <List {...size} />,
        ),
      ),
    },
    {
      title: 'Console',
      actions: [
        {
          id: 'light',
          label: 'Light theme',
          icon: <Sun {...size} />,
          act: () => changeTheme('light'),
        },
        {
          id: 'dark',
          label: 'Dark theme',
          icon: <Moon {...size} />,
          act: () => changeTheme('dark'),
        },
        { id: 'keys', label: 'Keys', icon: <Keyboard {...size} />, keys: ['?'], act: openHelp },
      ],
    },
  ]
}
