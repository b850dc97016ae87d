'use client'

import type { ApiEvent, ApiReplay } from '@afterimage/protocol/api'
import { sendApi } from './browser.ts'

/**
 * Returns the address of the page for an id: an issue by number or short id, an event, a replay or a
 * trace by its 32 hex characters. Null when the id is unknown.
 */
export async function findById(id: string): Promise<string | null> {
  if (/^\d+$/.test(id)) {
    const issue = await sendApi(`/api/0/organizations/main/issues/${id}/`)
    return issue.isOk ? `/issues/${id}` : null
  }
  const hex = id.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(hex)) {
    const found = await sendApi<{ groupId: string }>(
      `/api/0/organizations/main/shortids/${encodeURIComponent(id)}/`,
    )
    return found.isOk ? `/issues/${found.value.groupId}` : null
  }
  const [event, replay, trace] = await Promise.all([
    sendApi<{ groupId: string | null; event: ApiEvent }>(
      `/api/0/organizations/main/eventids/${hex}/`,
    ),
    sendApi<{ data: ApiReplay }>(`/api/0/organizations/main/replays/${hex}/`),
    sendApi<{ span_count: number }>(`/api/0/organizations/main/traces/${hex}/`),
  ])
  if (event.isOk && event.value.groupId !== null)
    return `/issues/${event.value.groupId}?event=${hex}`
  if (replay.isOk) return `/replays/${hex}`
  if (trace.isOk && trace.value.span_count > 0) return `/traces/${hex}`
  return null
}
