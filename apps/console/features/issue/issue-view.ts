import type { ApiEvent } from '@afterimage/protocol/api/event'
import type { ApiIssueDetail, ApiSeries } from '@afterimage/protocol/api/issue'
import { standfirstOf, type StandfirstPart } from './standfirst.ts'
import { lastAction, stepsOf, type Step } from './steps.ts'

const DAY_MS = 86_400_000

/** Values that an issue's page derives from the issue and the shown event. */
export interface IssueView {
  readonly steps: readonly Step[]
  readonly standfirst: readonly StandfirstPart[]
  readonly series: ApiSeries
  /** Seconds per bucket of the series. */
  readonly interval: number
  /** First seen within a day: the histogram then covers one day. */
  readonly isYoung: boolean
}

/** `now` in ms: the page's moment, so that what the server writes is what the browser finds. */
export function issueViewOf(issue: ApiIssueDetail, event: ApiEvent | null, now: number): IssueView {
  const entry = event?.entries.find((one) => one.type === 'breadcrumbs')
  const crumbs = entry?.type === 'breadcrumbs' ? entry.data.values : []
  const steps = event === null ? [] : stepsOf(crumbs, Date.parse(event.dateCreated))
  const series = Object.values(issue.stats)[0] ?? []
  return {
    steps,
    standfirst: standfirstOf(issue, lastAction(steps), now),
    series,
    interval: intervalOf(series),
    isYoung: now - Date.parse(issue.firstSeen) < DAY_MS,
  }
}

function intervalOf(series: ApiSeries): number {
  const [first, second] = series
  return first === undefined || second === undefined ? 3600 : second[0] - first[0]
}
