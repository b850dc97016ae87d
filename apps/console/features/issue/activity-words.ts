import type { ApiActivity } from '@afterimage/protocol/api/issue'
import { shortVersion } from '../stream/lede.ts'

export interface ActivityWords {
  /** The person, or the event without one. */
  readonly who: string
  readonly did: string
  /** A comment: it is said, not done. */
  readonly isSpeech: boolean
}

const BY_ITSELF: Readonly<Record<string, readonly [who: string, did: string]>> = {
  first_seen: ['First seen', ''],
  set_regression: ['Regressed', 'after it was resolved'],
  set_escalating: ['Escalated', ''],
}

const DONE: Readonly<Record<string, string>> = {
  set_resolved: 'resolved it',
  set_resolved_in_release: 'resolved it in a release',
  set_unresolved: 'opened it again',
  set_ignored: 'archived it',
  mark_reviewed: 'marked it as reviewed',
  unmark_reviewed: 'took the review back',
  shared: 'made a link to share it',
  unshared: 'ended the shared link',
  assigned: 'assigned it',
  unassigned: 'assigned it to nobody',
}

/** Writes one entry of an issue's history as a sentence. Unknown types keep their name. */
export function activityWords(entry: ApiActivity): ActivityWords {
  const data = entry.data
  const who = entry.user?.name ?? 'Afterimage'
  if (entry.type === 'note') return { who, did: text(data['text']), isSpeech: true }
  const itself = BY_ITSELF[entry.type]
  if (itself !== undefined) {
    const release = text(data['release'] ?? data['version'])
    const into = release === '' ? '' : ` in ${shortVersion(release)}`
    return { who: itself[0], did: `${itself[1]}${into}`.trim(), isSpeech: false }
  }
  return {
    who,
    did: `${DONE[entry.type] ?? entry.type.replaceAll('_', ' ')}${detail(entry)}`,
    isSpeech: false,
  }
}

function detail(entry: ApiActivity): string {
  const { data } = entry
  if (entry.type === 'assigned') {
    const name = text(data['assigneeName'] ?? data['assigneeEmail'] ?? data['assignee'])
    return name === '' ? '' : ` to ${name}`
  }
  if (entry.type === 'set_resolved') {
    if (data['inNextRelease'] === true) return ' in the next release'
    const release = text(data['inRelease'] ?? data['version'])
    return release === '' ? '' : ` in ${shortVersion(release)}`
  }
  if (entry.type === 'set_ignored') {
    if (typeof data['ignoreCount'] === 'number') return ` until ${data['ignoreCount']} more events`
    if (typeof data['ignoreUserCount'] === 'number') {
      return ` until ${data['ignoreUserCount']} more people`
    }
    if (data['substatus'] === 'archived_forever') return ' forever'
    if (data['substatus'] === 'archived_until_escalating') return ' until it escalates'
  }
  return ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
