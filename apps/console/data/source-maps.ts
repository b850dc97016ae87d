'use client'

import type { Answer } from './answer.ts'
import { sendApi } from './browser.ts'

/** Deletes an upload. Its files go when no other upload has them. */
export function deleteUpload(slug: string, bundleId: string): Promise<Answer<unknown>> {
  const path = `/api/0/projects/main/${encodeURIComponent(slug)}/files/artifact-bundles/`
  return sendApi(`${path}${encodeURIComponent(bundleId)}/`, { method: 'DELETE' })
}
