import type { NormalizedEvent } from '@afterimage/protocol/event'

/** A text of the report by its snake_case name, also where an old SDK sent it with dashes; else empty. */
export function reportText(event: NormalizedEvent, name: string): string {
  const report = event.security ?? {}
  const value = report[name] ?? report[name.replaceAll('_', '-')]
  return typeof value === 'string' ? value.trim() : ''
}

/** The directive that blocked: as reported, else the first word of the violated one. */
export function effectiveDirective(event: NormalizedEvent): string {
  const directive = reportText(event, 'effective_directive')
  return directive || (reportText(event, 'violated_directive').split(' ', 1)[0] ?? '')
}

/** The host of the page on which something was blocked; null when the report does not say. */
export function documentHost(event: NormalizedEvent): string | null {
  return hostOf(reportText(event, 'document_uri'))
}

/** Returns the source of the blocked resource: a host, `self`, `inline`, `eval`, or a scheme like `data:`. */
export function blockedSource(event: NormalizedEvent): string {
  const blocked = reportText(event, 'blocked_uri').replace(/^'([\w-]{1,32})'$/, '$1')
  const sameAs = documentHost(event)
  if (blocked === '' || blocked === 'self') return blocked
  if (/^(?:unsafe-)?inline$/.test(blocked)) return 'inline'
  if (/^(?:unsafe-|wasm-)?eval$/.test(blocked)) return 'eval'
  const host = hostOf(blocked)
  if (host !== null) return host === sameAs ? 'self' : host
  return /^[a-z][a-z0-9+.-]{1,31}:?$/i.test(blocked) && !blocked.includes('.')
    ? `${blocked.replace(/:$/, '')}:`
    : blocked.split('/', 1)[0]!.slice(0, 253)
}

/** Returns the parts that tell two reports apart. */
export function reportGroup(event: NormalizedEvent): readonly string[] {
  return event.type === 'csp'
    ? [effectiveDirective(event), blockedSource(event)]
    : [reportText(event, 'hostname')]
}

function hostOf(url: string): string | null {
  const match = /^[a-z][a-z0-9+.-]{1,31}:\/\/(?:[^/?#@]{0,256}@)?([^/?#]{1,253})/i.exec(url)
  return match === null ? null : match[1]!.toLowerCase()
}
