import type { EventBag, EventProblem } from '@afterimage/protocol/event'
import { boundedBag } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { addProblem, isRecord, readHexId } from './text.ts'
import { browserFromUserAgent } from './user-agent.ts'

/** The contexts of an event, each an object of bounded size; browser, os and device come from the User-Agent where the SDK did not send them. */
export function normalizeContexts(
  raw: unknown,
  userAgent: string | null,
  problems: EventProblem[],
): Record<string, EventBag> {
  const contexts: Record<string, EventBag> = {}
  let count = 0
  if (isRecord(raw)) {
    for (const key in raw) {
      if (key === '__proto__' || key.length > eventLimits.contextName) continue
      const context = boundedBag(raw[key], bagLimits.large)
      if (context === null) continue
      if (count >= eventLimits.contexts) {
        addProblem(problems, 'too_many', 'contexts', key)
        break
      }
      contexts[key] = context
      count += 1
    }
  }
  if (contexts['trace']) normalizeTrace(contexts['trace'], problems)
  addFromUserAgent(contexts, userAgent)
  return contexts
}

function normalizeTrace(trace: EventBag, problems: EventProblem[]): void {
  const ids = [
    ['trace_id', 32],
    ['span_id', 16],
    ['parent_span_id', 16],
  ] as const
  for (const [name, length] of ids) {
    const sent = trace[name]
    if (sent === undefined || sent === null) continue
    const id = readHexId(sent, length)
    if (id === null) {
      addProblem(problems, 'invalid_data', `contexts.trace.${name}`, sent)
      delete trace[name]
    } else trace[name] = id
  }
}

function addFromUserAgent(contexts: Record<string, EventBag>, userAgent: string | null): void {
  if (userAgent === null) return
  const { browser, os, device } = browserFromUserAgent(userAgent)
  if (browser !== null && !namesItself(contexts['browser'])) {
    contexts['browser'] = { ...contexts['browser'], ...known(browser) }
  }
  if (os !== null && !namesItself(contexts['os'])) {
    contexts['os'] = { ...contexts['os'], ...known(os) }
  }
  if (device !== null && !contexts['device']) contexts['device'] = known(device)
}

function namesItself(context: EventBag | undefined): boolean {
  return typeof context?.['name'] === 'string'
}

function known(members: Readonly<Record<string, string | null>>): EventBag {
  const out: EventBag = {}
  for (const key in members) if (members[key] !== null) out[key] = members[key]
  return out
}
