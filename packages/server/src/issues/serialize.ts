import type { ApiIssue, ApiSeries, IssueSubstatus } from '@afterimage/protocol/api/issue'
import { priorityOf } from './priority.ts'
import { isNew, isRegressed } from './state.ts'
import { type IssueRow, statusDetailsOf } from './row.ts'
import type { Counted } from './counts.ts'
import { countIssues } from './counts.ts'
import { peopleOfIssues } from './people.ts'
import { bucketMsOf, issueSeries } from './series.ts'
import type { TimeRange } from '../storage/events/port.ts'
import { iso } from '../api/answer.ts'
import { type ApiContext, nowOf } from '../api/context.ts'
import { allProjects, periodMs } from '../api/parameters.ts'

export interface IssueView {
  /** The events that `count`, `userCount` and the series count. */
  readonly counted: Counted
  /** `24h`, `14d`, `auto` (the counted range), or null for none. */
  readonly statsPeriod: string | null
  readonly userId: string | null
}

/** Issues as the API shows them, with their numbers. */
export async function serializeIssues(
  api: ApiContext,
  rows: readonly IssueRow[],
  view: IssueView,
): Promise<readonly ApiIssue[]> {
  const ids = rows.map((row) => row.id)
  const [projects, people, counts, stats] = await Promise.all([
    allProjects(api),
    peopleOfIssues(api.metadata, ids, view.userId),
    countIssues(api, ids, view.counted),
    seriesOfIssues(api, ids, view),
  ])
  return rows.map((row) => {
    const project = projects.get(row.project_id)
    const count = counts.get(row.id)
    const assignee = people.people.get(row.assignee_id ?? '')
    return {
      id: String(row.id),
      shortId: row.short_id,
      title: row.title,
      culprit: row.culprit,
      permalink: `${api.config.baseUrl}/issues/${row.short_id}`,
      level: row.level,
      type: row.kind,
      platform: row.platform,
      logger: row.logger,
      metadata: {
        title: row.title,
        ...(JSON.parse(row.metadata) as Omit<ApiIssue['metadata'], 'title'>),
      },
      status: row.status,
      substatus: substatusOf(row, nowOf(api)),
      statusDetails: publicDetails(row),
      isUnhandled: row.is_unhandled === 1,
      project: {
        id: String(row.project_id),
        slug: project?.slug ?? '',
        name: project?.name ?? '',
        platform: project?.platform ?? null,
      },
      assignedTo: assignee === undefined ? null : { type: 'user', ...assignee },
      count: String(count?.events ?? 0),
      userCount: count?.users ?? 0,
      firstSeen: iso(row.first_seen),
      lastSeen: iso(row.last_seen),
      numComments: people.comments.get(row.id) ?? 0,
      isBookmarked: people.bookmarked.has(row.id),
      hasSeen: people.seen.has(row.id),
      firstRelease: releaseOf(row.first_release),
      lastRelease: releaseOf(row.last_release),
      issueType: 'error',
      issueCategory: 'error',
      priority: priorityOf(row),
      replayCount: count?.replays ?? 0,
      stats: view.statsPeriod === null ? {} : { [view.statsPeriod]: stats.get(row.id) ?? [] },
    }
  })
}

function releaseOf(version: string | null): ApiIssue['firstRelease'] {
  if (version === null) return null
  return { version, shortVersion: version.slice(version.lastIndexOf('@') + 1) }
}

/** Returns the substatus: the age decides where nothing else does. */
export function substatusOf(row: IssueRow, now: number): IssueSubstatus {
  if (row.status === 'resolved') return null
  if (row.status === 'ignored') {
    return (row.substatus as IssueSubstatus) ?? 'archived_forever'
  }
  if (row.substatus === 'escalating') return 'escalating'
  if (isRegressed(row, now)) return 'regressed'
  return isNew(row, now) ? 'new' : 'ongoing'
}

/** Returns the details under Sentry's names; those that only we need to decide are left out. */
function publicDetails(row: IssueRow): ApiIssue['statusDetails'] {
  const { afterRelease: _, ...details } = statusDetailsOf(row)
  return details
}

async function seriesOfIssues(
  api: ApiContext,
  ids: readonly number[],
  { counted, statsPeriod }: IssueView,
): Promise<ReadonlyMap<number, ApiSeries>> {
  if (statsPeriod === null) return new Map()
  const range = rangeOfStats(api, statsPeriod, counted.range)
  const bucketMs =
    statsPeriod === '24h' ? 3_600_000 : statsPeriod === '14d' ? 86_400_000 : bucketMsOf(range)
  return issueSeries(api, ids, { conditions: counted.conditions, range, bucketMs })
}

function rangeOfStats(api: ApiContext, statsPeriod: string, counted: TimeRange | null): TimeRange {
  if (statsPeriod === 'auto' && counted !== null) return counted
  const to = nowOf(api)
  return { from: to - (periodMs(statsPeriod) ?? 14 * 86_400_000), to: to + 1 }
}
