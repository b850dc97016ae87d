/**
 * The self-monitoring of the server: its console reports, through its own tunnel, to a project of
 * its own.
 */

/** The project that the console reports to. Lists leave it out unless it is named. */
export const selfProjectSlug = 'afterimage'

/** Facts that a page of the console needs in order to report, handed over at run time. */
export interface SelfMonitoring {
  readonly dsn: string
  /** Path on the page's own host. */
  readonly tunnelPath: string
  /** `afterimage@` and the version. */
  readonly release: string
  /** `production`, or `development` where the console is being worked on. */
  readonly environment: string
}

/** The attribute of the document's root element in which a page finds it, as JSON. */
export const selfMonitoringAttribute = 'data-afterimage-self'
