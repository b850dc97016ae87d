'use client'

import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuLink } from '../../ui/menu.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SearchProblems } from '../search/search-problems.tsx'
import { listHref, listPeriods, type ListFilter } from './list-filter.ts'
import styles from './listing.module.css'

/** Draws project, time and search above a list. Its state is in the address. */
export function FilterRow(props: {
  readonly path: string
  readonly filter: ListFilter
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
  readonly placeholder: string
  /** Parts of the filter's query that are not valid. */
  readonly problems: readonly ApiSearchProblem[]
}) {
  const { path, filter, projects } = props
  const { go } = useNavigation()
  const [text, setText] = useState(filter.query)
  const [shown, setShown] = useState(filter.query)
  if (shown !== filter.query) {
    // The address changed (a quick filter, back), and takes precedence.
    setShown(filter.query)
    setText(filter.query)
  }
  const project = projects.find((one) => one.slug === filter.project)
  const period = listPeriods.find((one) => one.id === filter.period)
  const submit = (query: string) => go(listHref(path, filter, { query: query.trim() }))
  return (
    <>
      <div className={styles['filters']}>
        <Menu trigger={<Picker label="Project" value={project?.name ?? 'All projects'} />}>
          <MenuLink
            href={listHref(path, filter, { project: null })}
            isChecked={filter.project === null}
          >
            All projects
          </MenuLink>
          {projects.map((one) => (
            <MenuLink
              key={one.slug}
              href={listHref(path, filter, { project: one.slug })}
              isChecked={one.slug === filter.project}
            >
              {one.name}
            </MenuLink>
          ))}
        </Menu>
        <Menu trigger={<Picker label="Time" value={period?.label ?? filter.period} />}>
          {listPeriods.map((one) => (
            <MenuLink
              key={one.id}
              href={listHref(path, filter, { period: one.id })}
              isChecked={one.id === filter.period}
            >
              {one.label}
            </MenuLink>
          ))}
        </Menu>
        <SearchField
          label="Search"
          placeholder={props.placeholder}
          value={text}
          onChange={(next) => {
            setText(next)
            if (next === '' && filter.query !== '') submit('')
          }}
          onEnter={submit}
          focusKey="/"
        />
      </div>
      <SearchProblems query={filter.query} problems={props.problems} />
    </>
  )
}

function Picker(props: {
  readonly label: string
  readonly value: string
  readonly ref?: React.Ref<HTMLButtonElement>
}) {
  const { label, value, ...rest } = props
  return (
    <Button size="field" aria-label={`${label}: ${value}`} {...rest}>
      {value}
      <ChevronDown size={12} aria-hidden />
    </Button>
  )
}
