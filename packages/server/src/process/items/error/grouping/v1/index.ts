/**
 * The first way of grouping. It must never change: an event that comes tomorrow has to get the hash
 * of the issue it belongs to. A better way becomes the next version beside it.
 */
import { hash } from 'node:crypto'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { reportGroup } from '../../../security/group.ts'
import { parameterize } from '../parameterize.ts'
import { builtInFamily } from './built-in.ts'
import { exceptionVariants } from './exceptions.ts'
import type { Variants } from './exceptions.ts'
import { isDefault, resolvePart } from './fingerprint.ts'
import { frameValues } from './frames.ts'

/** The hashes of an event, the most specific first; all of them mean its issue. */
export function groupV1(event: NormalizedEvent): readonly string[] {
  return groupBy(event, reportGroup)
}

/** As `groupV1`, with another answer to which security reports are alike. */
export function groupBy(
  event: NormalizedEvent,
  groupOfReport: typeof reportGroup,
): readonly string[] {
  const parts = event.fingerprint ?? []
  const isOwn = parts.length > 0 && !(parts.length === 1 && isDefault(parts[0]!))
  if (isOwn && !parts.some(isDefault)) {
    return [
      hashOf(
        'fingerprint',
        parts.map((part) => resolvePart(part, event)),
      ),
    ]
  }
  const hashes = defaultHashes(event, groupOfReport)
  if (!isOwn) return hashes
  const extra = parts.filter((part) => !isDefault(part)).map((part) => resolvePart(part, event))
  return hashes.map((value) => hashOf('fingerprint', [value, ...extra]))
}

function defaultHashes(
  event: NormalizedEvent,
  groupOfReport: typeof reportGroup,
): readonly string[] {
  if (event.checksum !== undefined) return [checksumHash(event.checksum)]
  const report = event.security ? groupOfReport(event) : null
  if (report !== null) return [hashOf(event.type, report)]
  const family = builtInFamily(event)
  if (family !== null) return [hashOf('family', [family])]
  if (isMessage(event)) return [messageHash(event)]
  const variants = exceptionVariants(event) ?? stackVariants(event)
  if (variants !== null) return variantHashes(variants)
  if (event.template) return [hashOf('template', templateValues(event))]
  return [messageHash(event)]
}

/** NOTE: SDK 11 sends a captured message also as an exception without a type, with the stack of the capture. */
function isMessage(event: NormalizedEvent): boolean {
  if (!event.logentry || (event.exception?.length ?? 0) > 1) return false
  const only = event.exception?.[0]
  return only !== undefined && only.type === undefined && only.value !== undefined
}

/** A stack trace of its own, or that of the one thread that matters. */
function stackVariants(event: NormalizedEvent): Variants | null {
  const threads = (event.threads ?? []).filter(({ crashed }) => crashed === true)
  const relevant =
    threads.length > 0 ? threads : (event.threads ?? []).filter(({ current }) => current === true)
  const stacktrace = (relevant.length === 1 ? relevant[0]!.stacktrace : null) ?? event.stacktrace
  if (!stacktrace) return null
  const { app, system } = frameValues(stacktrace, event.platform)
  if (system.length === 0) return null
  return { app: app.length > 0 ? app : null, system }
}

function variantHashes({ app, system }: Variants): readonly string[] {
  const systemHash = hashOf('stack', system)
  if (app === null) return [systemHash]
  const appHash = hashOf('stack', app)
  return appHash === systemHash ? [appHash] : [appHash, systemHash]
}

function messageHash(event: NormalizedEvent): string {
  const { logentry } = event
  const text = logentry?.message ?? logentry?.formatted ?? event.exception?.at(-1)?.value ?? ''
  const lines = text
    .split('\n', 50)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const head = lines.slice(0, 2).join('\n')
  return hashOf('message', [parameterize(lines.length > 2 ? `${head}...` : head)])
}

function templateValues(event: NormalizedEvent): string[] {
  const { filename, context_line: line } = event.template ?? {}
  return [filename, line].map((value) => (typeof value === 'string' ? value : ''))
}

function checksumHash(checksum: string): string {
  return /^[0-9a-f]{32}$/.test(checksum) ? checksum : hashOf('checksum', [checksum])
}

function hashOf(kind: string, values: readonly string[]): string {
  return hash('sha256', `v1\n${kind}\n${values.join('\n\n')}`).slice(0, 32)
}
