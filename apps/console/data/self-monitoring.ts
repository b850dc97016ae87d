import { selfMonitoringAttribute, type SelfMonitoring } from '@afterimage/protocol/self-monitoring'

/** Also the origin of the front door as this process sees it. */
type HandedOver = SelfMonitoring & { readonly server: string }

/**
 * What the web role handed over: what the console reports with, or null when it does not. Undefined
 * where nobody hands over anything, which is while the console is built.
 */
export function selfMonitoring(): HandedOver | null | undefined {
  return (globalThis as Record<symbol, unknown>)[Symbol.for('afterimage.self')] as
    | HandedOver
    | null
    | undefined
}

/**
 * Attributes of the document's root element, which is there before any script runs. `isMissing`
 * where the document is made at build time and a script has to bring them.
 */
export function selfMonitoringAttributes(): {
  readonly attributes: Readonly<Record<string, string>>
  readonly isMissing: boolean
} {
  const handed = selfMonitoring()
  if (handed === null || handed === undefined) {
    return { attributes: {}, isMissing: handed === undefined }
  }
  const { dsn, tunnelPath, release, environment } = handed
  const told: SelfMonitoring = { dsn, tunnelPath, release, environment }
  return { attributes: { [selfMonitoringAttribute]: JSON.stringify(told) }, isMissing: false }
}
