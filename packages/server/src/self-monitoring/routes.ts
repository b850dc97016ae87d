import { selfMonitoringAttribute } from '@afterimage/protocol/self-monitoring'
import type { Routes } from '../api/context.ts'

/**
 * Serves the facts for self-monitoring to documents that were made when the console was built. It
 * is a script, since it must run before the page's own. Empty when the console is not monitored.
 */
export const selfMonitoringRoutes: Routes = (app, api) => {
  const { selfMonitoring = null } = api
  const script =
    selfMonitoring === null
      ? ''
      : `document.documentElement.setAttribute(${literal(selfMonitoringAttribute)}, ${literal(JSON.stringify(selfMonitoring))})`
  app.get('/self-monitoring/', (c) =>
    c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
}

function literal(text: string): string {
  return JSON.stringify(text)
}
