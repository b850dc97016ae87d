import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import { Histogram } from '../../chart/histogram.tsx'
import { Link } from '../../ui/navigation.tsx'
import { ledeOf, shortVersion, type LedePart } from './lede.ts'
import { periodLabel, streamHref, type StreamFilter } from './stream-filter.ts'
import styles from './stream-top.module.css'

/** The stream's opening: one sentence, and the histogram that it sums up. */
export function LedeZone(props: {
  readonly overview: ApiIssueOverview
  readonly filter: StreamFilter
  /** Those that the reader may see; the sentence names one where several are in view. */
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
  /** ms */
  readonly now: number
}) {
  const { overview, filter } = props
  const range = `the ${periodLabel(filter.period).toLowerCase()}`
  const lede = ledeOf(overview, props.now, range, nameOfProject(props))
  return (
    <div className={styles['zone']}>
      <div>
        <h1 className={styles['lede']}>
          <Parts parts={lede.sentence} filter={filter} />
        </h1>
        {lede.rest.length === 0 ? null : (
          <p className={styles['rest']}>
            <Parts parts={lede.rest} filter={filter} />
          </p>
        )}
      </div>
      <Histogram
        series={overview.histogram.series}
        interval={overview.histogram.interval}
        releases={overview.releases.map((release) => ({
          version: shortVersion(release.version),
          at: Date.parse(release.firstSeen) / 1000,
          isNewest: release.version === overview.newestRelease?.version,
        }))}
        height={50}
        label={`Events over ${range}, with releases`}
      />
    </div>
  )
}

/** Returns the name of the newest release's project; null when only one project is in view. */
function nameOfProject({ overview, filter, projects }: Parameters<typeof LedeZone>[0]) {
  const others = projects.filter(({ slug }) => slug !== selfProjectSlug)
  if (filter.project !== null || others.length < 2) return null
  const project = projects.find(({ slug }) => slug === overview.newestRelease?.project)
  return project?.name ?? null
}

function Parts(props: { readonly parts: readonly LedePart[]; readonly filter: StreamFilter }) {
  return props.parts.map((part, index) =>
    typeof part === 'string' ? (
      <span key={index}>{part}</span>
    ) : (
      <Link
        key={index}
        href={streamHref(props.filter, {
          query: part.query,
          ...(part.project === undefined ? {} : { project: part.project }),
        })}
      >
        {part.text}
      </Link>
    ),
  )
}
