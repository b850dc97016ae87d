'use client'

import type { ClientSettings } from '@afterimage/protocol/client-settings'
import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

/** Replaces the settings that clients of a project ask for. */
export function saveClientSettings(
  slug: string,
  settings: ClientSettings,
): Promise<Answer<ClientSettings>> {
  const path = `/api/0/projects/main/${encodeURIComponent(slug)}/client-settings/`
  return sendApi(path, { method: 'PUT', body: settings })
}
