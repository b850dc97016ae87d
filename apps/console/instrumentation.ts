import { initServer } from '@afterimage/next/server'
import { createReportBudget } from './data/report-budget.ts'
import { secretPaths } from './data/secret-paths.ts'
import { selfMonitoring } from './data/self-monitoring.ts'

export { onRequestError } from '@afterimage/next/server'

/** Reports errors that the server throws while it draws a page, as errors of pages are. */
export function register(): void {
  const handed = selfMonitoring()
  if (handed === null || handed === undefined) return
  const isWithin = createReportBudget()
  initServer({
    ...handed,
    secretPaths,
    beforeSend: (event) => (isWithin(Date.now()) ? event : null),
  })
}
