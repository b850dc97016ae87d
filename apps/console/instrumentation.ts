import { initServer } from '@afterimage/next/server'
import { createReportBudget } from './data/report-budget.ts'
import { selfMonitoring } from './data/self-monitoring.ts'

export { onRequestError } from '@afterimage/next/server'

/** What the server's half throws while it draws a page is reported as what pages throw is. */
export function register(): void {
  const handed = selfMonitoring()
  if (handed === null || handed === undefined) return
  const isWithin = createReportBudget()
  initServer({ ...handed, beforeSend: (event) => (isWithin(Date.now()) ? event : null) })
}
