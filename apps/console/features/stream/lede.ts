import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { exactNumber, spokenCount, spokenDuration } from '../../ui/time-words.ts'

/** A piece of a sentence: words, or words that set a filter. */
export type LedePart = string | { readonly text: string; readonly query: string }

export interface Lede {
  readonly sentence: readonly LedePart[]
  readonly rest: readonly LedePart[]
}

/**
 * The sentence that opens the issue stream. Every number in it is a fact of `issue-overview`, and
 * where the facts are few the sentence is short. `range` is the period in words: "the last 14 days".
 */
export function ledeOf(facts: ApiIssueOverview, now: number, range: string): Lede {
  return { sentence: opening(facts, now, range), rest: rest(facts) }
}

function opening(facts: ApiIssueOverview, now: number, range: string): LedePart[] {
  const release = facts.newestRelease
  const findings = [
    counted(facts.newIssues, 'new issue', newQuery(facts)),
    counted(facts.regressedIssues, 'regression', 'is:regressed'),
  ].filter((part) => part !== null)
  if (facts.events === 0 && findings.length === 0) return [`No events in ${range}.`]
  const since: LedePart[] = release === null ? [] : releaseWords(release, now)
  if (findings.length === 0) {
    const people = facts.usersAffected
    const felt =
      people > 0 ? `, felt by ${spokenCount(people)} ${people === 1 ? 'person' : 'people'}` : ''
    const events = `${spokenCount(facts.events)} ${facts.events === 1 ? 'event' : 'events'}`
    return release === null
      ? [`Nothing new in ${range}: ${events}${felt}.`]
      : ['Nothing new since ', ...since, `: ${events} in ${range}${felt}.`]
  }
  const head: LedePart[] = release === null ? [`In ${range}: `] : ['Since ', ...since, ': ']
  return [...head, ...joined(findings), ...felt(facts), '.']
}

function releaseWords(
  release: NonNullable<ApiIssueOverview['newestRelease']>,
  now: number,
): LedePart[] {
  const version: LedePart = {
    text: shortVersion(release.version),
    query: `release:${quoteIfNeeded(release.version)}`,
  }
  return [version, `, ${spokenDuration(now - Date.parse(release.firstSeen))} ago`]
}

function felt(facts: ApiIssueOverview): LedePart[] {
  const people = facts.usersAffected
  if (people === 0) return []
  return [
    ', felt by ',
    {
      text: `${spokenCount(people)} ${people === 1 ? 'person' : 'people'}`,
      query: 'is:unresolved',
    },
  ]
}

function rest(facts: ApiIssueOverview): LedePart[] {
  const parts: LedePart[] = []
  if (facts.escalatingIssues > 0) {
    const isOne = facts.escalatingIssues === 1
    parts.push(
      {
        text: `${capital(spokenCount(facts.escalatingIssues))} ${isOne ? 'issue' : 'issues'}`,
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

function counted(count: number, noun: string, query: string): LedePart | null {
  if (count === 0) return null
  return { text: `${spokenCount(count)} ${noun}${count === 1 ? '' : 's'}`, query }
}

function newQuery(facts: ApiIssueOverview): string {
  return facts.newestRelease === null
    ? 'is:new'
    : `firstRelease:${quoteIfNeeded(facts.newestRelease.version)}`
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
