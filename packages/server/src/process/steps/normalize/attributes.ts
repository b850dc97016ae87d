import type { EnvelopeHeader } from '@afterimage/protocol/envelope'
import type { EventBag, EventProblem, EventSdk, NormalizedEvent } from '@afterimage/protocol/event'
import { boundedBag, boundedCopy } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { addProblem, isRecord, readText } from './text.ts'

type Raw = Record<string, unknown>

/** Sets the SDK that sent an event: as the event names it, else as its envelope does. */
export function addSdk(event: NormalizedEvent, raw: Raw, header: EnvelopeHeader['sdk']): void {
  const sent = isRecord(raw['sdk']) ? raw['sdk'] : isRecord(header) ? header : null
  const name = readText(sent?.['name'], eventLimits.label)
  if (sent === null || name === null) return
  const sdk: EventSdk = { name, version: readText(sent['version'], eventLimits.label) ?? '' }
  const integrations = texts(sent['integrations'])
  if (integrations.length > 0) sdk.integrations = integrations
  const packages = readPackages(sent['packages'])
  if (packages.length > 0) sdk.packages = packages
  const settings = boundedBag(sent['settings'], bagLimits.small)
  if (settings !== null) sdk.settings = settings
  event.sdk = sdk
}

function texts(raw: unknown): string[] {
  if (!Array.isArray(raw)) return []
  return raw
    .slice(0, 100)
    .map((item: unknown) => readText(item, eventLimits.identifier))
    .filter((item) => item !== null)
}

function readPackages(raw: unknown): { name: string; version: string }[] {
  if (!Array.isArray(raw)) return []
  const packages: { name: string; version: string }[] = []
  for (const item of raw.slice(0, 100)) {
    const name = isRecord(item) ? readText(item['name'], eventLimits.label) : null
    if (name === null) continue
    const version = readText((item as Raw)['version'], eventLimits.label) ?? ''
    packages.push({ name, version })
  }
  return packages
}

const securityTypes: ReadonlySet<string> = new Set(['csp', 'hpkp', 'expectct', 'expectstaple'])

/** The members of free shape. */
export function addBags(event: NormalizedEvent, raw: Raw): void {
  const extra = boundedBag(raw['extra'], bagLimits.massive)
  if (extra !== null) event.extra = extra
  const template = raw['template'] ?? raw['sentry.interfaces.Template']
  const keptTemplate = boundedBag(template, bagLimits.large)
  if (keptTemplate !== null) event.template = keptTemplate
  const report = raw[event.type] ?? raw['sentry.interfaces.Csp']
  if (securityTypes.has(event.type) && isRecord(report)) {
    event.security = boundedCopy(report, bagLimits.large) as EventBag
  }
  const modules = readModules(raw['modules'])
  if (modules !== null) event.modules = modules
  const images = readImages(raw['debug_meta'])
  if (images.length > 0) event.debug_meta = { images }
}

function readModules(raw: unknown): Record<string, string> | null {
  const bag = boundedBag(raw, bagLimits.large)
  if (bag === null) return null
  const modules: Record<string, string> = {}
  for (const name in bag) modules[name] = readText(bag[name], eventLimits.label) ?? ''
  return modules
}

function readImages(raw: unknown): EventBag[] {
  if (!isRecord(raw) || !Array.isArray(raw['images'])) return []
  return raw['images']
    .slice(0, eventLimits.images)
    .map((image: unknown) => boundedBag(image, bagLimits.medium))
    .filter((image) => image !== null)
}

/** Keeps what the SDK itself found wrong with the event. */
export function addErrors(problems: EventProblem[], raw: unknown): void {
  if (!Array.isArray(raw)) return
  for (const item of raw.slice(0, eventLimits.problems)) {
    if (!isRecord(item)) continue
    const type = readText(item['type'], eventLimits.identifier) ?? 'invalid_data'
    addProblem(problems, type, readText(item['name'], eventLimits.label) ?? '', item['value'])
  }
}
