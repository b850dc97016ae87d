import type { ApiEvent, ApiFrame } from '@afterimage/protocol/api/event'
import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { bareStack, exceptionsOf, placeOf } from './frames.ts'
import { offsetWords, stepsOf } from './steps.ts'

/** Steps in a copy, the newest ones. */
const STEPS_COPIED = 15
/** Frames per exception in a copy. */
const FRAMES_COPIED = 30

/** Writes the stack of an event as plain text, newest frame first, causes after. */
export function stackText(event: Pick<ApiEvent, 'entries'>): string {
  const chain = exceptionsOf(event)
  if (chain.length === 0) {
    const stack = bareStack(event)
    return stack === null ? '' : stack.frames.toReversed().map(frameText).join('\n')
  }
  return chain
    .map(({ exception, relation }) => {
      const head = `${relation === null ? '' : `${relation}: `}${exception.type ?? 'Error'}: ${exception.value ?? ''}`
      const frames = exception.stacktrace?.frames.toReversed().slice(0, FRAMES_COPIED) ?? []
      return [head, ...frames.map(frameText)].join('\n')
    })
    .join('\n')
}

/** Writes an issue with one of its events as Markdown: for a ticket, a chat, or a coding agent. */
export function issueMarkdown(
  issue: Pick<
    ApiIssue,
    'shortId' | 'title' | 'culprit' | 'level' | 'count' | 'userCount' | 'firstSeen' | 'lastSeen'
  >,
  event: ApiEvent | null,
  url: string,
): string {
  const lines = [
    `# ${oneLine(issue.title)}`,
    '',
    `- Issue: ${issue.shortId} (${url})`,
    `- Where: ${issue.culprit === '' ? 'unknown' : oneLine(issue.culprit)}`,
    `- Level: ${issue.level}`,
    `- Events: ${issue.count}, people: ${issue.userCount}`,
    `- First seen: ${issue.firstSeen}, last seen: ${issue.lastSeen}`,
  ]
  if (event === null) return `${lines.join('\n')}\n`
  lines.push(`- Event: ${event.eventID}, ${event.dateCreated}`)
  if (event.release !== null) lines.push(`- Release: ${event.release.version}`)
  if (event.environment !== null) lines.push(`- Environment: ${event.environment}`)
  const stack = stackText(event)
  if (stack !== '') lines.push('', '## Stack trace', '', fenced(stack))
  const steps = stepLines(event)
  if (steps.length > 0) lines.push('', '## The seconds before', '', ...steps)
  if (event.tags.length > 0) {
    lines.push('', '## Tags', '', ...event.tags.map((tag) => `- ${tag.key}: ${oneLine(tag.value)}`))
  }
  return `${lines.join('\n')}\n`
}

function stepLines(event: ApiEvent): string[] {
  const entry = event.entries.find((one) => one.type === 'breadcrumbs')
  const crumbs = entry?.type === 'breadcrumbs' ? entry.data.values : []
  return stepsOf(crumbs, Date.parse(event.dateCreated))
    .slice(-STEPS_COPIED)
    .map((step) => {
      const to = step.arrow === null ? '' : ` → ${step.arrow}`
      const words = [offsetWords(step.at), step.verb ?? '', `${step.object}${to}`, step.result]
      return `- ${oneLine(words.filter((word) => word !== '').join(' '))}`
    })
}

function frameText(frame: ApiFrame): string {
  return `    at ${frame.function ?? '<anonymous>'} (${placeOf(frame)})`
}

/* A fence longer than any inside, so that no stack can end it. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${text}\n${fence}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 1000)
}
