'use client'

import { useMemo, useState } from 'react'
import { Link } from '../../../ui/navigation.tsx'
import { MarkerIcon } from '../../../ui/marker-icon.tsx'
import { markerShape } from '../marker-shape.ts'
import type { Player } from '../player/player.ts'
import { useTimeline } from '../player/use-player.ts'
import { clock } from '../timeline/clock.ts'
import type { Level } from '../timeline/console-rows.ts'
import type { Step, StepKind } from '../timeline/steps.ts'
import { DomPanel } from './dom-panel.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { Choice, FollowButton, matches, Pane, PaneFilter } from './pane.tsx'
import { NoRows } from './no-rows.tsx'
import { RowList } from './row-list.tsx'
import { StepLine } from './step-line.tsx'
import styles from './panels.module.css'

type KindChoice = 'all' | 'actions' | 'pages' | 'network' | 'console' | 'wrong'

const kinds: Readonly<Record<Exclude<KindChoice, 'all'>, readonly StepKind[]>> = {
  actions: ['click', 'input', 'rage', 'dead', 'other'],
  pages: ['navigation', 'vital'],
  network: ['network'],
  console: ['console', 'warning'],
  wrong: ['error', 'rage', 'dead', 'warning'],
}

const kindOptions: readonly { readonly id: KindChoice; readonly label: string }[] = [
  { id: 'all', label: 'All kinds' },
  { id: 'actions', label: 'Actions' },
  { id: 'pages', label: 'Pages' },
  { id: 'network', label: 'Network' },
  { id: 'console', label: 'Console' },
  { id: 'wrong', label: 'What went wrong' },
]

type LevelChoice = 'all' | 'warning' | 'error'

const levelOptions: readonly { readonly id: LevelChoice; readonly label: string }[] = [
  { id: 'all', label: 'All levels' },
  { id: 'warning', label: 'Warnings and errors' },
  { id: 'error', label: 'Errors' },
]

/** Steps, console, errors, the document and its memory. */
export function UpperPane(props: { readonly player: Player }) {
  const { player } = props
  const timeline = useTimeline(player)
  const [tab, setTab] = useState('steps')
  const [isFollowing, setIsFollowing] = useState(true)
  const following = { isFollowing, onReaderScroll: () => setIsFollowing(false) }
  return (
    <Pane
      label="What happened"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { id: 'steps', label: 'Steps', count: String(timeline.steps.length) },
        { id: 'console', label: 'Console', count: String(timeline.console.length) },
        { id: 'errors', label: 'Errors', count: String(timeline.errors.length) },
        { id: 'dom', label: 'DOM' },
        { id: 'memory', label: 'Memory' },
      ]}
      tool={<FollowButton isFollowing={isFollowing} onChange={setIsFollowing} />}
    >
      {tab === 'steps' ? <StepsPanel player={player} {...following} /> : null}
      {tab === 'console' ? <ConsolePanel player={player} {...following} /> : null}
      {tab === 'errors' ? <ErrorsPanel player={player} {...following} /> : null}
      {tab === 'dom' ? <DomPanel player={player} /> : null}
      {tab === 'memory' ? <MemoryPanel player={player} /> : null}
    </Pane>
  )
}

interface PanelProps {
  readonly player: Player
  readonly isFollowing: boolean
  readonly onReaderScroll: () => void
}

function isAtLevel(level: Level, choice: LevelChoice): boolean {
  if (choice === 'all') return true
  if (level === 'error' || level === 'fatal') return true
  return choice === 'warning' && level === 'warning'
}

function StepsPanel(props: PanelProps) {
  const { steps } = useTimeline(props.player)
  const [text, setText] = useState('')
  const [kind, setKind] = useState<KindChoice>('all')
  const [level, setLevel] = useState<LevelChoice>('all')
  const rows = useMemo(
    () =>
      steps.filter(
        (step) =>
          (kind === 'all' || kinds[kind].includes(step.kind)) &&
          isAtLevel(step.level, level) &&
          matches(text, step.verb, step.subject, step.detail),
      ),
    [steps, kind, level, text],
  )
  return (
    <>
      <PaneFilter placeholder="Search steps" text={text} onText={setText}>
        <Choice label="Kinds of steps" value={kind} options={kindOptions} onChange={setKind} />
        <Choice label="Levels" value={level} options={levelOptions} onChange={setLevel} />
      </PaneFilter>
      <Rows {...props} all={steps.length} rows={rows} label="Steps" />
    </>
  )
}

function Rows(
  props: PanelProps & {
    readonly all: number
    readonly rows: readonly Step[]
    readonly label: string
  },
) {
  if (props.rows.length === 0) return <NoRows isEmpty={props.all === 0} what={props.label} />
  return (
    <RowList
      player={props.player}
      rows={props.rows}
      rowHeight={28}
      label={props.label}
      rowClass={styles['step']}
      isFollowing={props.isFollowing}
      onReaderScroll={props.onReaderScroll}
      render={(step) => <StepLine step={step} />}
    />
  )
}

function ConsolePanel(props: PanelProps) {
  const { console: rows } = useTimeline(props.player)
  const [text, setText] = useState('')
  const [level, setLevel] = useState<LevelChoice>('all')
  const steps = useMemo(
    () =>
      rows
        .filter((row) => isAtLevel(row.level, level) && matches(text, row.text, row.method))
        .map((row): Step => ({
          id: row.id,
          at: row.at,
          kind: row.level === 'warning' ? 'warning' : row.level === 'error' ? 'error' : 'console',
          level: row.level,
          verb: row.method,
          subject: row.text,
          detail: '',
          isFailed: false,
        })),
    [rows, text, level],
  )
  return (
    <>
      <PaneFilter placeholder="Search the console" text={text} onText={setText}>
        <Choice label="Levels" value={level} options={levelOptions} onChange={setLevel} />
      </PaneFilter>
      <Rows {...props} all={rows.length} rows={steps} label="Console" />
    </>
  )
}

function ErrorsPanel(props: PanelProps) {
  const { errors, recording } = useTimeline(props.player)
  const [text, setText] = useState('')
  const rows = useMemo(
    () =>
      errors
        .filter((error) => matches(text, error.title, error.shortId ?? ''))
        .map((error) => ({
          ...error,
          id: error.eventId,
          at: Math.max(0, error.timestamp - recording.startedAt),
        }))
        .sort((a, b) => a.at - b.at),
    [errors, recording, text],
  )
  if (errors.length === 0) return <NoRows isEmpty what="Errors" />
  return (
    <>
      <PaneFilter placeholder="Search errors" text={text} onText={setText} />
      <RowList
        {...props}
        rows={rows}
        rowHeight={28}
        label="Errors"
        rowClass={styles['step']}
        render={(error) => (
          <>
            <span className={styles['time']}>{clock(error.at)}</span>
            <MarkerIcon kind={markerShape('error', error.level === 'fatal' ? 'fatal' : 'error')} />
            <span className={styles['what']} data-failed>
              {error.title}
            </span>
            {error.issueId === null ? (
              <span className={styles['detail']}>{error.shortId}</span>
            ) : (
              <Link
                className={styles['link'] ?? ''}
                href={`/issues/${error.issueId}?event=${error.eventId}`}
                onClick={(event) => event.stopPropagation()}
              >
                {error.shortId ?? 'Issue'}
              </Link>
            )}
          </>
        )}
      />
    </>
  )
}
