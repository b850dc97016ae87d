import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { EventDescription } from '../error/describe.ts'
import { eventLimits } from '../../steps/normalize/limits.ts'
import { cut } from '../../steps/normalize/text.ts'
import { blockedSource, effectiveDirective, reportText } from './group.ts'

const directiveNames: Readonly<Record<string, string>> = {
  'child-src': 'child',
  'connect-src': 'connect',
  'font-src': 'font',
  'form-action': 'form',
  'frame-ancestors': 'frame',
  'frame-src': 'frame',
  'img-src': 'image',
  'manifest-src': 'manifest',
  'media-src': 'media',
  'object-src': 'object',
  'script-src': 'script',
  'script-src-elem': 'script',
  'script-src-attr': 'script',
  'style-src': 'style',
  'style-src-elem': 'style',
  'style-src-attr': 'style',
  'worker-src': 'worker',
}

const failures: Readonly<Record<string, string>> = {
  expectct: 'Expect-CT failed',
  expectstaple: 'Expect-Staple failed',
  hpkp: 'Public key pinning validation failed',
}

/** Describes a browser's security report for lists. */
export function describeReport(event: NormalizedEvent): EventDescription {
  const failure = failures[event.type]
  if (failure !== undefined) {
    const host = reportText(event, 'hostname')
    const title = host === '' ? failure : `${failure} for '${host}'`
    return {
      title: cut(title, eventLimits.label),
      culprit: host,
      location: host || null,
      metadata: {},
    }
  }
  const directive = effectiveDirective(event)
  const page = reportText(event, 'document_uri')
  return {
    title: cut(policyTitle(directive, blockedSource(event)), eventLimits.label),
    culprit: cut(reportText(event, 'violated_directive') || directive, eventLimits.culprit),
    location: page || null,
    metadata: { type: directive, value: cut(reportText(event, 'blocked_uri'), 1024) },
  }
}

function policyTitle(directive: string, source: string): string {
  const isKnown = Object.hasOwn(directiveNames, directive)
  const name = isKnown ? directiveNames[directive] : directive || 'unknown'
  if (source === 'inline') return `Blocked inline '${name}'`
  if (source === 'eval') return `Blocked eval in '${name}'`
  return source === '' ? `Blocked '${name}'` : `Blocked '${name}' from '${source}'`
}
