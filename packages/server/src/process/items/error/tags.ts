import type { NormalizedEvent } from '@afterimage/protocol/event'
import { cut } from '../../steps/normalize/text.ts'
import { eventLimits } from '../../steps/normalize/limits.ts'
import { nameAndMajor } from '../../steps/normalize/user-agent.ts'
import { userKey } from '../../steps/normalize/user.ts'

/** True and false as handled and not; null when no exception says. One that nothing caught decides. */
export function isHandled(event: NormalizedEvent): boolean | null {
  let handled: boolean | null = null
  for (const { mechanism } of event.exception ?? []) {
    if (mechanism?.handled === false) return false
    if (mechanism?.handled === true) handled = true
  }
  return handled
}

/** Browser with its major version, or the like; null when the event has no such context. */
export function contextLabel(event: NormalizedEvent, name: string): string | null {
  const context = event.contexts[name]
  return nameAndMajor(context?.['name'], context?.['version'])
}

/**
 * Returns the tags of an event: those sent, and those derived from its other members, so that all
 * can be counted.
 */
export function tagsOf(event: NormalizedEvent): Record<string, string> {
  const tags: Record<string, string> = {}
  const handled = isHandled(event)
  const derived: readonly (readonly [string, string | null | undefined])[] = [
    ['level', event.level],
    ['environment', event.environment],
    ['release', event.release],
    ['dist', event.dist],
    ['transaction', event.transaction],
    ['url', event.request?.url],
    ['user', userKey(event.user)],
    ['server_name', event.server_name],
    ['site', event.site],
    ['logger', event.logger],
    ['handled', handled === null ? null : handled ? 'yes' : 'no'],
    ['mechanism', event.exception?.at(-1)?.mechanism?.type],
    ['browser', contextLabel(event, 'browser')],
    ['browser.name', labelIn(event, 'browser', 'name')],
    ['os', contextLabel(event, 'os')],
    ['os.name', labelIn(event, 'os', 'name')],
    ['runtime', contextLabel(event, 'runtime')],
    ['runtime.name', labelIn(event, 'runtime', 'name')],
    ['device', labelIn(event, 'device', 'model') ?? labelIn(event, 'device', 'family')],
    ['device.family', labelIn(event, 'device', 'family')],
  ]
  for (const [key, value] of derived) if (value) tags[key] = cut(value, eventLimits.tagValue)
  return Object.assign(tags, event.tags)
}

function labelIn(event: NormalizedEvent, context: string, member: string): string | null {
  const label = event.contexts[context]?.[member]
  return typeof label === 'string' ? label : null
}
