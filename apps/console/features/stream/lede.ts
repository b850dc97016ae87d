import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { exactNumber, spokenCount, spokenDuration } from '../../ui/time-words.ts'

/** A piece of a sentence: words, or words that set a filter. */
export type LedePart =
  | string
  | {
      readonly text: string
      readonly query: string
      /** Slug of the project that the words are about; absent for those in view. */
      readonly project?: string
    }

export interface Lede {
  readonly sentence: readonly LedePart[]
  readonly rest: readonly LedePart[]
}

/**
 * Writes the sentence that opens the issue stream. Every number in it is a fact of `issue-overview`, and
 * where the facts are few the sentence is short. `range` is the period in words: "the last 14 days".
 * `project` is the name of the newest release's project; null when only one project is in view.
 */
export function ledeOf(
  facts: ApiIssueOverview,
  now: number,
  range: string,
  project: string | null,
): Lede {
  return { sentence: opening(facts, now, range, project), rest: rest(facts, range) }
}

function opening(
  facts: ApiIssueOverview,
  now: number,
  range: string,
  project: string | null,
): LedePart[] {
  const release = facts.newestRelease
  const findings = findingsOf(facts)
  if (facts.events === 0 && findings.length === 0) return [`No events in ${range}.`]
  const since: LedePart[] = release === null ? [] : releaseWords(release, now, project)
  if (findings.length === 0) {
    return release === null
      ? [`Nothing new in ${range}: ${volume(facts)}.`]
      : ['Nothing new since ', ...since, `: ${volume(facts)} in ${range}.`]
  }
  const head: LedePart[] = release === null ? [`In ${range}: `] : ['Since ', ...since, ': ']
  return [...head, ...joined(findings), ...felt(facts), '.']
}

/** ", felt by 366 people": those who met what is new or regressed, when that could be counted. */
function felt(facts: ApiIssueOverview): LedePart[] {
  const people = facts.usersOfChanges
  if (people === null || people === 0) return []
  return [`, felt by ${spokenPeople(people)}`]
}

function findingsOf(facts: ApiIssueOverview): LedePart[] {
  const project = facts.newestRelease === null ? {} : { project: facts.newestRelease.project }
  return [
    counted(facts.newIssues, 'new issue', { query: newQuery(facts), ...project }),
    counted(facts.regressedIssues, 'regression', { query: 'is:regressed', ...project }),
  ].filter((part) => part !== null)
}

/** "412 events, felt by 187 people": counts of the whole range, new or not. */
function volume(facts: ApiIssueOverview): string {
  const events = eventWords(facts)
  return facts.usersAffected === 0
    ? events
    : `${events}, felt by ${spokenPeople(facts.usersAffected)}`
}

function eventWords(facts: ApiIssueOverview): string {
  return `${spokenCount(facts.events)} ${facts.events === 1 ? 'event' : 'events'}`
}

function peopleWords(facts: ApiIssueOverview): string {
  return facts.usersAffected === 0 ? '' : ` from ${spokenPeople(facts.usersAffected)}`
}

function spokenPeople(count: number): string {
  return `${spokenCount(count)} ${count === 1 ? 'person' : 'people'}`
}

function releaseWords(
  release: NonNullable<ApiIssueOverview['newestRelease']>,
  now: number,
  project: string | null,
): LedePart[] {
  const version: LedePart = {
    text: shortVersion(release.version),
    query: `release:${quoteIfNeeded(release.version)}`,
    project: release.project,
  }
  const of = project === null ? '' : ` of ${project}`
  return [version, `${of}, ${spokenDuration(now - Date.parse(release.firstSeen))} ago`]
}

function rest(facts: ApiIssueOverview, range: string): LedePart[] {
  const parts: LedePart[] = []
  if (facts.events > 0 && findingsOf(facts).length > 0) {
    parts.push(`${capital(eventWords(facts))}${peopleWords(facts)} in ${range}.`)
  }
  if (facts.escalatingIssues > 0) {
    const isOne = facts.escalatingIssues === 1
    parts.push(
      {
        text: `${parts.length > 0 ? ' ' : ''}${capital(spokenCount(facts.escalatingIssues))} ${isOne ? 'issue' : 'issues'}`,
        query: 'is:escalating',
      },
      ` ${isOne ? 'is' : 'are'} escalating.`,
    )
  }
  if (facts.quarantined > 0) {
    const isOne = facts.quarantined === 1
    parts.push(
      `${parts.length > 0 ? ' ' : ''}${exactNumber(facts.quarantined)} ${isOne ? 'event is' : 'events are'} in quarantine.`,
    )
  }
  return parts
}

function counted(
  count: number,
  noun: string,
  filter: { readonly query: string; readonly project?: string },
): LedePart | null {
  if (count === 0) return null
  return { text: `${spokenCount(count)} ${noun}${count === 1 ? '' : 's'}`, ...filter }
}

/* "New" means first seen since then: the same query as the number's. */
function newQuery(facts: ApiIssueOverview): string {
  const release = facts.newestRelease
  return release === null ? 'is:new' : `firstSeen:>=${release.firstSeen}`
}

function joined(parts: readonly LedePart[]): LedePart[] {
  return parts.flatMap((part, index) =>
    index === 0 ? [part] : [index === parts.length - 1 ? ' and ' : ', ', part],
  )
}

/** `shop@2.14.0` reads 2.14.0; a commit hash its first eight characters. */
export function shortVersion(version: string): string {
  const afterAt = /^[^@\s]+@(.+)$/.exec(version)?.[1] ?? version
  return /^[0-9a-f]{20,}$/i.test(afterAt) ? afterAt.slice(0, 8) : afterAt
}

function quoteIfNeeded(value: string): string {
  return /[\s"\\]/.test(value) ? JSON.stringify(value) : value
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
