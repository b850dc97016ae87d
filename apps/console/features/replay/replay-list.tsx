'use client'

import type { ApiReplay } from '@afterimage/protocol/api/replay'
import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { useMemo, useState } from 'react'
import { RelativeTime } from '../../ui/clock.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { Link, useNavigation } from '../../ui/navigation.tsx'
import { Row } from '../../ui/row.tsx'
import { RefusedState } from '../../ui/state.tsx'
import { FilterRow } from '../listing/filter-row.tsx'
import { listHref, toggleTerm, type ListFilter } from '../listing/list-filter.ts'
import { NothingListed, type ListedProject } from '../listing/nothing-listed.tsx'
import { Pager } from '../listing/pager.tsx'
import listing from '../listing/listing.module.css'
import { listSentence, machineOf, personOf } from './replay-facts.ts'
import { replaySorts } from './replay-sorts.ts'
import { duration } from './timeline/clock.ts'
import { pathOf } from './timeline/chapters.ts'
import styles from './replay-list.module.css'

const path = '/replays'

const terms = {
  errors: 'count_errors:>0',
  rage: 'count_rage_clicks:>0',
  dead: 'count_dead_clicks:>0',
}

export interface ReplayListProps {
  readonly filter: ListFilter
  readonly answer:
    | {
        readonly isOk: true
        readonly value: readonly ApiReplay[]
        readonly next: string | null
        readonly previous: string | null
        readonly hits: number | null
      }
    | { readonly isOk: false; readonly status: number; readonly detail: string }
  /** Parts of the filter's query that are not valid. */
  readonly problems: readonly ApiSearchProblem[]
  readonly projects: readonly ListedProject[]
}

/** The list of replays: the sentence, the filter, a row each. `j` and `k` move, Enter opens. */
export function ReplayList(props: ReplayListProps) {
  const { filter, answer, projects } = props
  const rows = answer.isOk ? answer.value : []
  return (
    <>
      <header className={listing['lede']}>
        <Sentence {...props} />
      </header>
      <FilterRow
        path={path}
        filter={filter}
        problems={props.problems}
        projects={projects}
        placeholder="Search: url:/checkout user.email:ada@… browser:Safari duration:>60"
      />
      <Views filter={filter} />
      <div className={listing['body']}>
        {answer.isOk ? (
          rows.length === 0 ? (
            <NothingListed path={path} noun="replays" filter={filter} projects={projects}>
              A page records when its SDK has the replay integration (
              <code>replayIntegration()</code>).
            </NothingListed>
          ) : (
            <Rows rows={rows} />
          )
        ) : (
          <div className={listing['none']}>
            <RefusedState status={answer.status} detail={answer.detail} />
          </div>
        )}
      </div>
      {answer.isOk ? (
        <Pager path={path} filter={filter} next={answer.next} previous={answer.previous} />
      ) : null}
    </>
  )
}

function Sentence(props: ReplayListProps) {
  const { answer, filter } = props
  if (!answer.isOk) return <h1>Replays</h1>
  const parts = listSentence({
    total: answer.hits,
    shown: answer.value,
    hasMore: answer.next !== null || answer.previous !== null,
  })
  return (
    <h1>
      {parts.map((part) =>
        part.filter === undefined ? (
          part.text
        ) : (
          <Link
            key={part.text}
            prefetch={false}
            href={listHref(path, filter, { query: toggleTerm(filter.query, terms[part.filter]) })}
          >
            {part.text}
          </Link>
        ),
      )}
    </h1>
  )
}

function Views(props: { readonly filter: ListFilter }) {
  const { filter } = props
  const words = filter.query.split(/\s+/)
  const quick = [
    { id: 'errors', label: 'With errors', kind: 'error' },
    { id: 'rage', label: 'Rage clicks', kind: 'rage' },
    { id: 'dead', label: 'Dead clicks', kind: 'click' },
  ] as const
  const isAny = quick.some(({ id }) => words.includes(terms[id]))
  return (
    <nav className={listing['views']} aria-label="Views">
      <Link href={listHref(path, filter, { query: '' })} aria-current={!isAny} prefetch={false}>
        All
      </Link>
      {quick.map(({ id, label, kind }) => (
        <Link
          key={id}
          prefetch={false}
          href={listHref(path, filter, { query: toggleTerm(filter.query, terms[id]) })}
          aria-current={words.includes(terms[id])}
        >
          <MarkerIcon kind={kind} />
          {label}
        </Link>
      ))}
      <span className={listing['grow']} />
      {replaySorts.map((sort) => (
        <Link
          key={sort.label}
          prefetch={false}
          href={listHref(path, filter, { sort: sort.id })}
          aria-current={sort.id === filter.sort}
        >
          {sort.label}
        </Link>
      ))}
    </nav>
  )
}

function Rows(props: { readonly rows: readonly ApiReplay[] }) {
  const { rows } = props
  const [cursor, setCursor] = useState(-1)
  const { go } = useNavigation()
  useKeys(
    useMemo(
      () => ({
        j: () => setCursor((at) => Math.min(rows.length - 1, at + 1)),
        k: () => setCursor((at) => Math.max(0, at - 1)),
        Enter: () => {
          const row = rows[cursor]
          if (row !== undefined) go(`${path}/${row.id}`)
        },
      }),
      [rows, cursor, go],
    ),
  )
  return (
    <div role="table" aria-label="Replays">
      <div role="row" className={styles['heads']}>
        <span role="columnheader">Replay</span>
        <span role="columnheader">Activity</span>
        <span role="columnheader">Errors</span>
        <span role="columnheader">Rage, dead</span>
        <span role="columnheader">Browser</span>
        <span role="columnheader">Duration</span>
        <span role="columnheader">When</span>
      </div>
      {rows.map((replay, index) => (
        <ReplayRow key={replay.id} replay={replay} isCursor={index === cursor} />
      ))}
    </div>
  )
}

function ReplayRow(props: { readonly replay: ApiReplay; readonly isCursor: boolean }) {
  const { replay } = props
  const pages = replay.urls.map(pathOf)
  const first = pages[0]
  return (
    <Row as="div" role="row" className={styles['row']} data-cursor={props.isCursor}>
      <span role="cell" className={styles['what']}>
        <Link href={`${path}/${replay.id}`} className={styles['person'] ?? ''} prefetch={false}>
          {personOf(replay)}
        </Link>
        <span className={styles['pages']} title={replay.urls.join('\n')}>
          {first === undefined ? 'no address' : first}
          {pages.slice(1, 4).map((page, index) => (
            <span key={index}> → {page}</span>
          ))}
          {pages.length > 4 ? <span> and {pages.length - 4} more</span> : null}
        </span>
      </span>
      <span role="cell" className={styles['activity']} title={`Activity ${replay.activity} of 10`}>
        <i style={{ width: `${Math.min(10, Math.max(0, replay.activity)) * 10}%` }} />
        <span className="visually-hidden">{replay.activity} of 10</span>
      </span>
      <span role="cell" className={styles['number']} data-bad={replay.count_errors > 0}>
        {replay.count_errors > 0 ? <MarkerIcon kind="error" size={10} /> : null}
        {replay.count_errors}
      </span>
      <span role="cell" className={styles['number']} data-rage={replay.count_rage_clicks > 0}>
        {replay.count_rage_clicks > 0 ? <MarkerIcon kind="rage" size={11} /> : null}
        {replay.count_rage_clicks}, {replay.count_dead_clicks}
      </span>
      <span role="cell" className={styles['machine']}>
        {machineOf(replay) ?? '–'}
      </span>
      <span role="cell" className={styles['took']}>
        {duration(replay.duration * 1000)}
      </span>
      <span role="cell" className={styles['when']}>
        <RelativeTime at={replay.started_at} />
      </span>
    </Row>
  )
}
