'use client'

import type {
  ApiActivity,
  ApiIssue,
  ApiIssueUpdate,
  ApiShare,
  ApiTagValue,
} from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'
import { queryString } from './query-string.ts'

const ISSUES = '/api/0/organizations/main/issues/'

/** Changes issues; answers what went wrong, or null. */
export async function updateIssues(
  ids: readonly string[],
  update: ApiIssueUpdate,
): Promise<string | null> {
  const answer = await sendApi(`${ISSUES}${queryString({ id: ids })}`, {
    method: 'PUT',
    body: update,
  })
  return answer.isOk ? null : answer.detail
}

/** A page of issues by the path the server asked with; null when it could not be read. */
export async function pollIssues(path: string): Promise<readonly ApiIssue[] | null> {
  const answer = await sendApi<readonly ApiIssue[]>(path)
  return answer.isOk ? answer.value : null
}

/** The most frequent values of a tag or field. */
export async function tagValues(key: string): Promise<readonly string[]> {
  const answer = await sendApi<readonly ApiTagValue[]>(
    `/api/0/organizations/main/tags/${encodeURIComponent(key)}/values/`,
  )
  return answer.isOk ? answer.value.map((one) => one.value) : []
}

export function addComment(issue: string, text: string): Promise<Answer<ApiActivity>> {
  return sendApi<ApiActivity>(`${ISSUES}${issue}/notes/`, { method: 'POST', body: { text } })
}

/** Makes a link that shows this issue without signing in. */
export function shareIssue(issue: string): Promise<Answer<ApiShare>> {
  return sendApi<ApiShare>(`${ISSUES}${issue}/share/`, { method: 'POST', body: {} })
}

/** Ends the link: it answers 404 from then on. */
export function unshareIssue(issue: string): Promise<Answer<unknown>> {
  return sendApi(`${ISSUES}${issue}/share/`, { method: 'DELETE' })
}
