import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeEnvelope, type Envelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { TestContext } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import type { ItemContext } from '../process/items/item.ts'
import { defaultScrubbing } from '../process/steps/scrub/settings.ts'

/** A recording's description of an item; its members depend on the item's type. */
export type ExpectedItem = Readonly<Record<string, unknown>> & { readonly type: string }

export interface RecordedEnvelope {
  readonly file: string
  /** The program and SDK that sent it: `browser11-tracing`. */
  readonly job: string
  readonly envelope: Envelope
  readonly expect: readonly ExpectedItem[]
}

let loaded: readonly RecordedEnvelope[] | null = null

/**
 * Reads all recorded traffic of the official SDKs; skips the test, by name, where the folder is
 * absent.
 */
export function recordedEnvelopes(context: TestContext): readonly RecordedEnvelope[] {
  const folder = sharedFolder('corpus')
  if (folder === null) return context.skip('not run: the folder of recorded traffic is absent')
  loaded ??= readdirSync(folder)
    .filter((name) => name.endsWith('.envelope'))
    .map((name) => readRecorded(folder, name.replace(/\.envelope$/, '')))
  return loaded
}

function readRecorded(folder: string, file: string): RecordedEnvelope {
  const sent = readFileSync(join(folder, `${file}.envelope`))
  const envelope = decodeEnvelope(sent[0] === 0x1f ? gunzipSync(sent) : sent)
  if (isRefusal(envelope)) throw new Error(`${file}: ${envelope.detail}`)
  const described = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as {
    readonly expect: { readonly items: readonly ExpectedItem[] }
  }
  const job = file.replace(/^\d+-/, '').replace(/-[^-]*$/, '')
  return { file, job, envelope, expect: described.expect.items }
}

/**
 * Makes the context of one item, received 50 ms after it was sent unless the test says otherwise.
 */
export function itemContext(
  envelope: Envelope,
  index: number,
  more: Partial<ItemContext> = {},
): ItemContext {
  const sentAt = Date.parse(envelope.header.sent_at ?? '')
  return {
    projectId: 42,
    receivedAt: Number.isNaN(sentAt) ? Date.parse('2026-11-20T08:10:00Z') : sentAt + 50,
    remoteAddress: '198.51.100.7',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    header: envelope.header,
    envelopeHash: envelopeHash(envelope),
    index,
    siblings: envelope.items,
    clockDriftMs: 0,
    scrubbing: defaultScrubbing,
    ...more,
  }
}

function envelopeHash({ header, items }: Envelope): string {
  const hash = createHash('sha256').update(JSON.stringify(header))
  for (const item of items) hash.update(JSON.stringify(item.header)).update(item.payload)
  return hash.digest('hex')
}

/** Makes an envelope of one item; a payload other than bytes is sent as JSON. */
export function envelopeOf(
  type: string,
  payload: unknown,
  more: { readonly header?: Envelope['header']; readonly item?: Record<string, unknown> } = {},
): Envelope {
  const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload))
  return { header: more.header ?? {}, items: [{ header: { type, ...more.item }, payload: bytes }] }
}
