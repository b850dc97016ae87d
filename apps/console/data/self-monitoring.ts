import { selfMonitoringAttribute, type SelfMonitoring } from '@afterimage/protocol/self-monitoring'

/** Also the origin of the front door, as seen from this process. */
type HandedOver = SelfMonitoring & { readonly server: string }

/**
 * Returns the self-monitoring settings that the web role handed over, or null when it is off.
 * Undefined while the console is built, without a web role.
 */
export function selfMonitoring(): HandedOver | null | undefined {
  return (globalThis as Record<symbol, unknown>)[Symbol.for('afterimage.self')] as
    | HandedOver
    | null
    | undefined
}

/**
 * Attributes of the document's root element, which exists before any script runs. `isMissing`
 * where the document is made at build time and a script has to add them.
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
