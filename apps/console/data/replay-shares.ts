'use client'

import type { ApiShare } from '@afterimage/protocol/api'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

function pathOf(replay: string): string {
  return `/api/0/organizations/main/replays/${replay}/share/`
}

/** Returns the active link, or null without one. */
export async function replayShare(replay: string): Promise<Answer<ApiShare | null>> {
  const answer = await sendApi<ApiShare>(pathOf(replay))
  if (answer.isOk || answer.status !== 404) return answer
  return { isOk: true, value: null, next: null, previous: null, hits: null }
}

export function shareReplay(replay: string): Promise<Answer<ApiShare>> {
  return sendApi<ApiShare>(pathOf(replay), { method: 'POST', body: {} })
}

/** Ends the link: from then on it shows nothing. */
export function unshareReplay(replay: string): Promise<Answer<unknown>> {
  return sendApi(pathOf(replay), { method: 'DELETE' })
}
