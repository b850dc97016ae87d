'use client'

import { CirclePlay, Ellipsis, List, Search, SquareChartGantt } from 'lucide-react'
import { Link } from '../../ui/navigation.tsx'
import type { Place } from './places.ts'
import styles from './tab-bar.module.css'

const ICONS: Readonly<Record<string, typeof List>> = {
  issues: List,
  replays: CirclePlay,
  traces: SquareChartGantt,
}

/** The places on a phone, at the thumb. */
export function TabBar(props: {
  readonly places: readonly Place[]
  readonly current: string | null
  readonly onPalette: () => void
}) {
  return (
    <nav className={styles['bar']} aria-label="Places">
      {props.places.map((place) => {
        const Icon = ICONS[place.id] ?? List
        return (
          <Link
            key={place.id}
            href={place.href}
            className={styles['tab']}
            aria-current={place.id === props.current ? 'page' : undefined}
          >
            <Icon size={20} aria-hidden />
            {place.label}
          </Link>
        )
      })}
      <button type="button" className={styles['tab']} onClick={props.onPalette}>
        <Search size={20} aria-hidden />
        Search
      </button>
      <Link
        href="/settings"
        className={styles['tab']}
        aria-current={props.current === 'settings' ? 'page' : undefined}
      >
        <Ellipsis size={20} aria-hidden />
        More
      </Link>
    </nav>
  )
}
