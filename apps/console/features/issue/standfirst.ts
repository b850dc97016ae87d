import type { ApiIssueDetail, ApiTag } from '@afterimage/protocol/api/issue'
import { shortVersion } from '../stream/lede.ts'
import { exactNumber, spokenCount, spokenDuration } from '../../ui/time-words.ts'
import type { Step } from './steps.ts'

/** Plain words, or words emphasised as the finding. */
export type StandfirstPart = string | { readonly strong: string }

/** Lowest share worth mentioning: four of five. */
const SHARE_MIN = 0.8
/** Fewest events for which a share means anything. */
const EVENTS_MIN = 20

/**
 * Writes the lines under an issue's headline: who, since when, where, after which step. Every clause is a
 * fact of the issue, of its tags or of the event shown; a clause without a fact is left out.
 */
export function standfirstOf(
  issue: Pick<
    ApiIssueDetail,
    'count' | 'userCount' | 'firstSeen' | 'lastSeen' | 'tags' | 'replayCount'
  >,
  step: Step | null,
  now: number,
): StandfirstPart[] {
  return [
    ...reach(issue, now),
    ...release(tagOf(issue.tags, 'release'), Number(issue.count)),
    '.',
    ...action(step),
    ...browser(tagOf(issue.tags, 'browser'), Number(issue.count)),
  ]
}

function reach(
  issue: Pick<ApiIssueDetail, 'count' | 'userCount' | 'firstSeen' | 'lastSeen'>,
  now: number,
): StandfirstPart[] {
  const events = Number(issue.count)
  const first = Date.parse(issue.firstSeen)
  if (events <= 1) {
    const who = issue.userCount === 1 ? 'One person' : 'Once'
    return [{ strong: who }, `, ${spokenDuration(now - first)} ago`]
  }
  const lasted = Date.parse(issue.lastSeen) - first
  const within = lasted < 1000 ? 'at once' : `in ${spokenDuration(lasted)}`
  if (issue.userCount === 0) return [{ strong: counted(events, 'event') }, ` ${within}`]
  return [
    { strong: counted(issue.userCount, 'person', 'people') },
    `, ${counted(events, 'event').toLowerCase()} ${within}`,
  ]
}

function release(tag: ApiTag | null, events: number): StandfirstPart[] {
  const top = tag?.topValues[0]
  if (tag === null || top === undefined || events < 2) return []
  const version = { strong: shortVersion(top.value) }
  if (tag.uniqueValues === 1 && top.count === tag.totalValues && tag.totalValues >= events) {
    return [', all on ', version]
  }
  const share = top.count / Math.max(1, tag.totalValues)
  return share >= SHARE_MIN && tag.totalValues >= EVENTS_MIN
    ? [`, ${percent(share)} of ${exactNumber(tag.totalValues)} on `, version]
    : []
}

function action(step: Step | null): StandfirstPart[] {
  if (step === null || step.object === '') return []
  if (step.marker === 'navigation') {
    return [' Here it follows a visit to ', { strong: step.arrow ?? step.object }, '.']
  }
  const doing: Readonly<Record<string, string>> = {
    Clicked: 'a click on',
    'Typed in': 'typing in',
    'Rage-clicked': 'repeated clicks on',
    'Slow click on': 'a slow click on',
  }
  return [
    ` Here it follows ${doing[step.verb ?? ''] ?? 'an action on'} `,
    { strong: cut(step.object) },
    '.',
  ]
}

function browser(tag: ApiTag | null, events: number): StandfirstPart[] {
  const top = tag?.topValues[0]
  if (tag === null || top === undefined || events < EVENTS_MIN || tag.totalValues < EVENTS_MIN)
    return []
  const share = top.count / tag.totalValues
  if (share < SHARE_MIN) return []
  return share === 1
    ? [` All use ${top.value}.`]
    : [` ${percent(share)} of ${exactNumber(tag.totalValues)} use ${top.value}.`]
}

function tagOf(tags: readonly ApiTag[], key: string): ApiTag | null {
  return tags.find((tag) => tag.key === key) ?? null
}

/** Writes a share in percent, never 100 % for less than all. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (whole >= 100 && share < 1) return '99 %'
  return whole === 0 && share > 0 ? '< 1 %' : `${whole} %`
}

function counted(count: number, one: string, many = `${one}s`): string {
  const words = `${spokenCount(count)} ${count === 1 ? one : many}`
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function cut(words: string): string {
  return words.length > 60 ? `${words.slice(0, 59)}…` : words
}
