'use client'

import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { Calendar, ChevronDown, Layers, SlidersHorizontal } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuGroup, MenuLink } from '../../ui/menu.tsx'
import { Link, useNavigation } from '../../ui/navigation.tsx'
import { Count } from '../../ui/number.tsx'
import { SearchProblems } from '../search/search-problems.tsx'
import { SearchBar } from '../search/search-bar.tsx'
import {
  PERIODS,
  periodLabel,
  SORTS,
  streamHref,
  VIEWS,
  type StreamFilter,
} from './stream-filter.ts'
import styles from './stream-top.module.css'

/** Draws the list's filter: environment, time and search. */
export function FilterRow(props: {
  readonly filter: StreamFilter
  readonly environments: readonly string[]
  /** Parts of the filter's query that are not valid. */
  readonly problems: readonly ApiSearchProblem[]
  readonly askValues: (key: string) => Promise<readonly string[]>
}) {
  const { filter, problems } = props
  const { go } = useNavigation()
  return (
    <>
      <div className={styles['filters']}>
        <span className={styles['picks']}>
          <Menu
            trigger={
              <Button size="field">
                <Layers size={14} aria-hidden className={styles['soft'] ?? ''} />
                {filter.environment ?? 'All environments'}
                <ChevronDown size={12} aria-hidden />
              </Button>
            }
          >
            <EnvironmentItems {...props} />
          </Menu>
          <Menu
            trigger={
              <Button size="field">
                <Calendar size={14} aria-hidden className={styles['soft'] ?? ''} />
                {periodLabel(filter.period)}
                <ChevronDown size={12} aria-hidden />
              </Button>
            }
          >
            <PeriodItems filter={filter} />
          </Menu>
        </span>
        <SearchBar
          query={filter.query}
          problems={problems}
          onSubmit={(query) => go(streamHref(filter, { query }))}
          askValues={props.askValues}
        />
        <span className={styles['phonePick']}>
          <Menu
            align="end"
            trigger={
              <Button isIcon isThumb aria-label="Environment and time">
                <SlidersHorizontal size={16} aria-hidden />
              </Button>
            }
          >
            <MenuGroup label="Environment">
              <EnvironmentItems {...props} />
            </MenuGroup>
            <MenuGroup label="Time">
              <PeriodItems filter={filter} />
            </MenuGroup>
          </Menu>
        </span>
      </div>
      <SearchProblems query={filter.query} problems={problems} />
    </>
  )
}

function EnvironmentItems(props: {
  readonly filter: StreamFilter
  readonly environments: readonly string[]
}) {
  return [null, ...props.environments].map((environment) => (
    <MenuLink
      key={environment ?? ''}
      href={streamHref(props.filter, { environment })}
      isChecked={environment === props.filter.environment}
    >
      {environment ?? 'All environments'}
    </MenuLink>
  ))
}

function PeriodItems(props: { readonly filter: StreamFilter }) {
  return PERIODS.map((period) => (
    <MenuLink
      key={period.id}
      href={streamHref(props.filter, { period: period.id })}
      isChecked={period.id === props.filter.period}
    >
      {period.label}
    </MenuLink>
  ))
}

/** Draws the named queries with their counts, and the order of the list, on the table's rule. */
export function ViewRow(props: {
  readonly filter: StreamFilter
  readonly counts: Readonly<Record<string, number>>
}) {
  const { filter } = props
  return (
    <nav className={styles['views']} aria-label="Views">
      <span className={styles['viewList']}>
        {VIEWS.map((view) => (
          <Link
            key={view.id}
            href={streamHref(filter, { query: view.query })}
            aria-current={view.query === filter.query ? 'page' : undefined}
            className={styles['view']}
          >
            {view.label}
            {props.counts[view.id] === undefined ? null : (
              <Count value={props.counts[view.id] ?? 0} />
            )}
          </Link>
        ))}
        <Link
          href={streamHref(filter, { query: '' })}
          aria-current={filter.query === '' ? 'page' : undefined}
          className={styles['view']}
        >
          All
        </Link>
      </span>
      <Menu
        align="end"
        trigger={
          <button type="button" className={styles['sort']}>
            <span className="visually-hidden">Order: </span>
            {SORTS.find((sort) => sort.id === filter.sort)?.label}
            <ChevronDown size={12} aria-hidden />
          </button>
        }
      >
        {SORTS.map((sort) => (
          <MenuLink
            key={sort.id}
            href={streamHref(filter, { sort: sort.id })}
            isChecked={sort.id === filter.sort}
          >
            {sort.label}
          </MenuLink>
        ))}
      </Menu>
    </nav>
  )
}
