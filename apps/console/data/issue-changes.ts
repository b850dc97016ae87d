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

/** Ids are in the address, whose length servers limit. */
const IDS_IN_ADDRESS_MAX = 200

/** Changes issues. Returns the failure's message, or null. */
export async function updateIssues(
  ids: readonly string[],
  update: ApiIssueUpdate,
): Promise<string | null> {
  for (let from = 0; from < ids.length; from += IDS_IN_ADDRESS_MAX) {
    const some = ids.slice(from, from + IDS_IN_ADDRESS_MAX)
    const answer = await sendApi(`${ISSUES}${queryString({ id: some })}`, {
      method: 'PUT',
      body: update,
    })
    if (!answer.isOk) return from === 0 ? answer.detail : `After ${from} of them: ${answer.detail}`
  }
  return null
}

/** Reads a page of issues from the API's path; null when it could not be read. */
export async function pollIssues(path: string): Promise<readonly ApiIssue[] | null> {
  const answer = await sendApi<readonly ApiIssue[]>(path)
  return answer.isOk ? answer.value : null
}

/** Rows of one answer, the API's maximum. */
const PAGE_MAX = 100

/**
 * Reads the issues of all pages of the list that `path` is one page of, at most `most`; null when a
 * page could not be read.
 */
export async function readAllIssues(
  path: string,
  most: number,
): Promise<readonly ApiIssue[] | null> {
  const url = new URL(path, location.origin)
  url.searchParams.delete('cursor')
  url.searchParams.set('limit', String(PAGE_MAX))
  // Only the sums of these are drawn.
  url.searchParams.set('groupStatsPeriod', '')
  const found: ApiIssue[] = []
  for (;;) {
    const page = await sendApi<readonly ApiIssue[]>(`${url.pathname}${url.search}`)
    if (!page.isOk) return null
    found.push(...page.value)
    if (page.next === null || found.length >= most) return found.slice(0, most)
    url.searchParams.set('cursor', page.next)
  }
}

/** Reads the most frequent values of a tag or field, in one project or in all. */
export async function tagValues(key: string, project: string | null): Promise<readonly string[]> {
  const answer = await sendApi<readonly ApiTagValue[]>(
    `/api/0/organizations/main/tags/${encodeURIComponent(key)}/values/${queryString({ project })}`,
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
