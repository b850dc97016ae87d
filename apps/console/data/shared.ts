import type { ServerResponse } from 'node:http'
import type { ApiSharedIssue, ApiSharedReplay } from '@afterimage/protocol/api'
import { isShareToken } from '@afterimage/protocol/share-token'
import type { Answer } from './answer.ts'
import { askInProcess } from './in-process.ts'

/** Reads a shared issue. Sent without the visitor's cookie: the link alone grants access. */
export function findSharedIssue(token: string): Promise<Answer<ApiSharedIssue>> {
  return findShared<ApiSharedIssue>('issues', token)
}

export function findSharedReplay(token: string): Promise<Answer<ApiSharedReplay>> {
  return findShared<ApiSharedReplay>('replays', token)
}

function findShared<T>(kind: 'issues' | 'replays', token: string): Promise<Answer<T>> {
  if (!isShareToken(token)) {
    return Promise.resolve({ isOk: false, status: 404, detail: 'There is no such link.' })
  }
  return askInProcess<T>(`/api/0/shared/${kind}/${token}/`, null)
}

/** Keeps shared pages out of caches and search engines, so that a revoked link shows nothing. */
export function forbidKeeping(response: ServerResponse): void {
  response.setHeader('cache-control', 'private, no-store')
  response.setHeader('x-robots-tag', 'noindex, nofollow')
}
