import type { ConsoleRow, Level } from './console-rows.ts'
import { levelOf } from './console-rows.ts'
import { duration } from './clock.ts'
import { chapterAt } from './chapters.ts'
import type { Chapter } from './chapters.ts'
import type { NetworkRow } from './network.ts'
import { customOf, eventSource, fieldsOf, numberOf, sourceOf, textOf, toMs } from './recorded.ts'
import type { Fields } from './recorded.ts'
import type { Recording } from './recording.ts'
import { nameInSelector, selectorOf } from './selector-name.ts'
import { formatVital } from './vitals.ts'
import type { VitalRow } from './vitals.ts'

export type StepKind =
  | 'error'
  | 'rage'
  | 'dead'
  | 'warning'
  | 'vital'
  | 'network'
  | 'navigation'
  | 'click'
  | 'input'
  | 'console'
  | 'other'

/** One thing that happened, as a line of the case: `Clicked` **“Apply”**, right: `button.apply`. */
export interface Step {
  readonly id: string
  /** ms since the start. */
  readonly at: number
  readonly kind: StepKind
  readonly level: Level
  /** The action, in second ink; empty when the subject includes it. */
  readonly verb: string
  readonly subject: string
  /** At the right: a selector, a duration, a short id. */
  readonly detail: string
  readonly isFailed: boolean
}

/** An error event that names the replay, as the server knows it. */
export interface ReplayError {
  readonly eventId: string
  readonly issueId: string | null
  readonly shortId: string | null
  readonly title: string
  readonly level: string
  /** ms since the epoch, the client's clock. */
  readonly timestamp: number
}

export const stepsMax = 20_000
/** A dead click repeated this often is rage, as the server counts it. */
const rageClicksMin = 5

export interface StepSources {
  readonly recording: Recording
  readonly chapters: readonly Chapter[]
  readonly network: readonly NetworkRow[]
  readonly console: readonly ConsoleRow[]
  readonly vitals: readonly VitalRow[]
  readonly errors: readonly ReplayError[]
}

/** Everything that happened, in order of time; assets of the page stay in the network pane. */
export function deriveSteps(sources: StepSources): readonly Step[] {
  const steps = [
    ...breadcrumbSteps(sources),
    ...navigationSteps(sources.chapters),
    ...sources.network.filter((row) => !row.isAsset).map(networkStep),
    ...sources.console.map(consoleStep),
    ...sources.vitals.map(vitalStep),
    ...sources.errors.map((error) => errorStep(error, sources.recording)),
  ]
  return steps.sort((a, b) => a.at - b.at).slice(0, stepsMax)
}

function navigationSteps(chapters: readonly Chapter[]): readonly Step[] {
  return chapters.map((chapter, index) => {
    const before = chapters[index - 1]
    return {
      id: `p${index}`,
      at: chapter.at,
      kind: 'navigation',
      level: 'info',
      verb: '',
      subject: before === undefined ? chapter.path : `${before.path} → ${chapter.path}`,
      detail: before === undefined ? 'first page' : '',
      isFailed: false,
    }
  })
}

function networkStep(row: NetworkRow): Step {
  const answer = row.status === null ? '' : row.status === 0 ? 'no answer' : String(row.status)
  return {
    id: row.id,
    at: Math.max(0, row.at),
    kind: 'network',
    level: row.isFailed ? 'error' : 'info',
    verb: row.method,
    subject: row.label,
    detail: [answer, duration(row.durationMs)].filter((part) => part !== '').join(', '),
    isFailed: row.isFailed,
  }
}

function consoleStep(row: ConsoleRow): Step {
  const isWarning = row.level === 'warning' || row.level === 'error'
  return {
    id: row.id,
    at: row.at,
    kind: isWarning ? 'warning' : 'console',
    level: row.level,
    verb: `console.${row.method}`,
    subject: row.text,
    detail: '',
    isFailed: false,
  }
}

function vitalStep(row: VitalRow): Step {
  return {
    id: row.id,
    at: row.at,
    kind: 'vital',
    level: row.rating === 'poor' ? 'warning' : 'info',
    verb: '',
    subject: row.name,
    detail: `${formatVital(row.name, row.value)}, ${row.rating}`,
    isFailed: false,
  }
}

function errorStep(error: ReplayError, recording: Recording): Step {
  return {
    id: `e${error.eventId}`,
    at: Math.max(0, error.timestamp - recording.startedAt),
    kind: 'error',
    level: levelOf(error.level),
    verb: '',
    subject: error.title,
    detail: error.shortId ?? '',
    isFailed: true,
  }
}

function breadcrumbSteps({ recording, chapters }: StepSources): readonly Step[] {
  const typed = typedCharacters(recording)
  const steps: Step[] = []
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'breadcrumb' || steps.length >= stepsMax) continue
    const at = Math.max(
      0,
      toMs(numberOf(custom.payload['timestamp']) ?? event.timestamp) - recording.startedAt,
    )
    const step = breadcrumbStep(custom.payload, typed)
    if (step === null) continue
    const page = step.detail === '' ? (chapterAt(chapters, at)?.path ?? '') : step.detail
    steps.push({ ...step, id: `b${steps.length}`, at, detail: step.kind === 'other' ? '' : page })
  }
  return steps
}

type StepText = Omit<Step, 'id' | 'at'>

function breadcrumbStep(payload: Fields, typed: ReadonlyMap<number, number>): StepText | null {
  const category = textOf(payload['category'], 128) ?? 'default'
  if (category === 'console' || category === 'navigation') return null
  const data = fieldsOf(payload['data'])
  const level = levelOf(textOf(payload['level'], 16) ?? 'info')
  const message = textOf(payload['message']) ?? ''
  const target = targetName(data, message)
  const selector = selectorOf(message)
  const base = { level, detail: selector === target ? '' : selector, isFailed: false }
  if (category === 'ui.click') return { ...base, kind: 'click', verb: 'Clicked', subject: target }
  if (category === 'ui.slowClickDetected') return slowClick(data, base, target)
  if (category === 'ui.multiClick') {
    const count = numberOf(data['clickCount']) ?? 2
    return { ...base, kind: 'click', verb: 'Clicked', subject: target, detail: `${count} clicks` }
  }
  if (category === 'ui.input') {
    const count = typed.get(numberOf(data['nodeId']) ?? -1)
    const detail = count === undefined ? base.detail : `${count} characters`
    return { ...base, kind: 'input', verb: 'Typed in', subject: target, detail }
  }
  if (category === 'ui.keyDown') {
    return { ...base, kind: 'input', verb: 'Pressed', subject: keyName(data) }
  }
  if (category === 'ui.focus' || category === 'ui.blur') {
    const subject = category === 'ui.focus' ? 'Came back to the page' : 'Left the page'
    return { ...base, kind: 'other', verb: '', subject, detail: '' }
  }
  return other(category, message, data, base)
}

function slowClick(
  data: Fields,
  base: Pick<StepText, 'level' | 'detail' | 'isFailed'>,
  subject: string,
): StepText {
  const clicks = numberOf(data['clickCount']) ?? 1
  const after = duration(numberOf(data['timeAfterClickMs']) ?? 0)
  if (data['endReason'] === 'mutation') {
    const detail = `answered after ${after}`
    return { ...base, kind: 'click', verb: 'Slow click on', subject, detail }
  }
  const isRage = clicks >= rageClicksMin
  return {
    ...base,
    level: 'warning',
    kind: isRage ? 'rage' : 'dead',
    verb: isRage ? 'Rage-clicked' : 'Dead click on',
    subject,
    detail: clicks > 1 ? `${clicks} clicks, nothing in ${after}` : `nothing in ${after}`,
  }
}

function other(
  category: string,
  message: string,
  data: Fields,
  base: Pick<StepText, 'level' | 'detail' | 'isFailed'>,
): StepText {
  if (category === 'replay.mutations') {
    const subject = `${numberOf(data['count']) ?? 'Many'} changes at once`
    return { ...base, kind: 'warning', level: 'warning', verb: '', subject, detail: '' }
  }
  if (category === 'replay.hydrate-error') {
    const subject = 'The page did not match the server’s markup'
    return { ...base, kind: 'warning', level: 'warning', verb: 'Hydration', subject, detail: '' }
  }
  if (category === 'replay.throttled') {
    const subject = 'Too many entries: some were dropped'
    return { ...base, kind: 'other', verb: '', subject, detail: '' }
  }
  const kind = base.level === 'error' || base.level === 'warning' ? 'warning' : 'other'
  return { ...base, kind, verb: category, subject: message, detail: '' }
}

/** `“Add row”`, else an attribute that names it, else the last part of its path. */
function targetName(data: Fields, message: string): string {
  const node = fieldsOf(data['node'])
  const attributes = fieldsOf(node['attributes'])
  const shown = textOf(node['textContent'], 80)?.trim() ?? ''
  if (isReadable(shown)) return `“${shown}”`
  for (const name of ['aria-label', 'name', 'title', 'alt', 'testId', 'id']) {
    const value = textOf(attributes[name], 80)?.trim() ?? ''
    if (isReadable(value)) return value
  }
  return nameInSelector(message) ?? selectorOf(message)
}

function keyName(data: Fields): string {
  const held = [
    data['metaKey'] === true ? '⌘' : '',
    data['ctrlKey'] === true ? 'Ctrl ' : '',
    data['altKey'] === true ? 'Alt ' : '',
    data['shiftKey'] === true ? '⇧' : '',
  ]
  return `${held.join('')}${textOf(data['key'], 32) ?? 'a key'}`
}

/** Masked text is stars: it names nothing. */
function isReadable(text: string): boolean {
  return /[^*\s]/.test(text)
}

/** Returns each field's greatest length in characters, by node id: the text itself is masked. */
function typedCharacters(recording: Recording): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const event of recording.events) {
    if (sourceOf(event) !== eventSource.input) continue
    const data = fieldsOf(event.data)
    const id = numberOf(data['id'])
    const length = textOf(data['text'], 100_000)?.length ?? 0
    if (id !== null && length > 0) counts.set(id, Math.max(counts.get(id) ?? 0, length))
  }
  return counts
}
