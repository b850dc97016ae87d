import type { StatusDetails } from './row.ts'
import type { IssueChange, StatusChange } from './update.ts'
import {
  type Body,
  countField,
  flagField,
  objectField,
  oneOfField,
  textField,
} from '../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf } from '../api/context.ts'
import { badRequest } from '../api/problem.ts'

const COUNT_MAX = 1_000_000_000
/** Ten years. */
const MINUTES_MAX = 3650 * 24 * 60

const substatuses = [
  'archived_forever',
  'archived_until_escalating',
  'archived_until_condition_met',
  'new',
  'ongoing',
  'escalating',
  'regressed',
] as const

/** A requested change, validated, with its form in the answer of a bulk change. */
export type RequestedChange = IssueChange & { readonly echo: Readonly<Record<string, unknown>> }

/** Reads `ApiIssueUpdate`. @throws ApiProblem 400 naming the field */
export async function readIssueChange(
  body: Body,
  api: ApiContext,
  c: ApiRequest,
): Promise<RequestedChange> {
  const status = statusOf(body)
  const assigneeId = await assigneeOf(body, api, c)
  const hasSeen = flagField(body, 'hasSeen')
  const isBookmarked = flagField(body, 'isBookmarked')
  const { status: sentStatus, substatus, statusDetails, assignedTo } = body
  const echo = {
    status: sentStatus ?? undefined,
    substatus: substatus ?? undefined,
    statusDetails: statusDetails ?? undefined,
    assignedTo,
    hasSeen,
    isBookmarked,
  }
  if (Object.values(echo).every((value) => value === undefined)) {
    throw badRequest('status: there is nothing to change')
  }
  return {
    ...(status === null ? {} : { status }),
    ...(assigneeId === undefined ? {} : { assigneeId }),
    ...(hasSeen === undefined ? {} : { hasSeen }),
    ...(isBookmarked === undefined ? {} : { isBookmarked }),
    by: { userId: c.get('principal').user?.id ?? null, at: nowOf(api) },
    echo,
  }
}

function statusOf(body: Body): StatusChange | null {
  const status = oneOfField(body, 'status', [
    'unresolved',
    'resolved',
    'resolvedInNextRelease',
    'ignored',
    'muted',
  ])
  const substatus = oneOfField(body, 'substatus', substatuses)
  const details = objectField(body, 'statusDetails') ?? {}
  switch (status) {
    case undefined:
      return substatus === 'ongoing' ? { type: 'unresolved', isReviewed: true } : null
    case 'unresolved':
      return {
        type: 'unresolved',
        isReviewed: substatus === 'ongoing',
        ...(substatus === 'new' || substatus === 'escalating' || substatus === 'regressed'
          ? { restored: substatus }
          : {}),
      }
    case 'resolvedInNextRelease':
      return { type: 'resolved', inRelease: null, inNextRelease: true }
    case 'resolved':
      return {
        type: 'resolved',
        inRelease: textField(details, 'inRelease', 250) ?? null,
        inNextRelease: flagField(details, 'inNextRelease') === true,
      }
    case 'ignored':
    case 'muted':
      return archiveOf({ ...conditionsBeside(body), ...details }, substatus)
  }
}

/** Other tools name the conditions of an archive beside `status`, not inside `statusDetails`. */
function conditionsBeside(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name.startsWith('ignore')))
}

function archiveOf(
  details: Body,
  substatus: (typeof substatuses)[number] | undefined,
): StatusChange {
  const durationMinutes = countField(details, 'ignoreDuration', MINUTES_MAX) ?? null
  const conditions: StatusDetails = {
    ...given('ignoreCount', countField(details, 'ignoreCount', COUNT_MAX)),
    ...given('ignoreWindow', countField(details, 'ignoreWindow', MINUTES_MAX)),
    ...given('ignoreUserCount', countField(details, 'ignoreUserCount', COUNT_MAX)),
    ...given('ignoreUserWindow', countField(details, 'ignoreUserWindow', MINUTES_MAX)),
  }
  const hasCondition =
    durationMinutes !== null ||
    conditions.ignoreCount !== undefined ||
    conditions.ignoreUserCount !== undefined
  if (hasCondition) {
    return {
      type: 'archived',
      substatus: 'archived_until_condition_met',
      details: conditions,
      durationMinutes,
    }
  }
  if (substatus === 'archived_until_condition_met') {
    throw badRequest('statusDetails: give ignoreCount, ignoreUserCount or ignoreDuration')
  }
  return {
    type: 'archived',
    substatus: substatus === 'archived_forever' ? 'archived_forever' : 'archived_until_escalating',
    details: {},
    durationMinutes: null,
  }
}

function given<K extends string>(
  name: K,
  value: number | undefined,
): { readonly [N in K]?: number } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: number }
}

/** `assignedTo`: an id, `user:<id>`, an email, `me`, or null. */
async function assigneeOf(
  body: Body,
  api: ApiContext,
  c: ApiRequest,
): Promise<string | null | undefined> {
  const value = body['assignedTo']
  if (value === undefined) return undefined
  if (value === null || value === '') return null
  if (typeof value !== 'string') throw badRequest('assignedTo: must be a person, or null')
  if (value === 'me') {
    const user = c.get('principal').user
    if (user === null) throw badRequest('assignedTo: this token belongs to no person')
    return user.id
  }
  const who = value.replace(/^user:/, '')
  const [user] = await api.metadata.all<{ id: string }>(
    'select id from users where id = ? or lower(email) = ?',
    who,
    who.toLowerCase(),
  )
  if (user === undefined) throw badRequest(`assignedTo: there is no "${value.slice(0, 100)}"`)
  return user.id
}
