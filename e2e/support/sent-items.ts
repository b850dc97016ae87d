import type { Page } from 'playwright-core'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'

/** An item that a page posted to the tunnel of its own host. */
export interface SentItem {
  readonly type: string
  /** The payload as JSON; null when it is not valid JSON. */
  readonly json: Record<string, unknown> | null
}

/** Collects the items that a page posts to `/monitoring` from now on, in order. */
export function watchSentItems(page: Page): SentItem[] {
  const items: SentItem[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/monitoring') return
    const bytes = request.postDataBuffer()
    const envelope = bytes === null ? null : decodeEnvelope(bytes)
    if (envelope === null || isRefusal(envelope)) return
    for (const { header, payload } of envelope.items) {
      items.push({ type: header.type, json: readJson(Buffer.from(payload).toString('utf8')) })
    }
  })
  return items
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
