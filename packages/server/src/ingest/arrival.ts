import type { IncomingMessage } from 'node:http'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { QueueWriter } from '../storage/queue/port.ts'
import { detailAnswer, refusalAnswer, type Answer } from './answer.ts'
import type { BodyHold } from './body-budget.ts'
import type { BodyWatch } from './body-watch.ts'
import type { ClientSettingsOf } from './client-settings.ts'
import type { IngestLimits } from './limits.ts'
import type { IngestMetrics } from './metrics.ts'
import type { ProjectKeys } from './project-keys.ts'
import type { RefusedKeys } from './refused-keys.ts'
import { readBody, type ReadBodyOptions } from './read-body.ts'

/** The arguments of every handler of ingest. */
export interface IngestContext {
  readonly queue: QueueWriter
  readonly keys: ProjectKeys
  readonly settingsOf: ClientSettingsOf
  readonly refusedKeys: RefusedKeys
  readonly limits: IngestLimits
  readonly metrics: IngestMetrics
  readonly watch: BodyWatch
  /** Region name → address of the server that handles it. */
  readonly regions: Readonly<Record<string, string>>
}

/** One request for ingest, with what is known before its body. */
export interface Arrival {
  readonly request: IncomingMessage
  readonly query: URLSearchParams
  /** Milliseconds since the epoch: the one time stamp of this request. */
  readonly receivedAt: number
  readonly remoteAddress: string | null
  readonly userAgent: string | null
  readonly hold: BodyHold
}

/** The plain body of a request, or the answer that its failure is. */
export async function takeBody(
  context: IngestContext,
  arrival: Arrival,
  options: {
    readonly decodedBytesMax?: number
    readonly inspect?: ReadBodyOptions['inspect']
  } = {},
): Promise<Buffer | Answer> {
  const { limits } = context
  const result = await readBody(arrival.request, {
    limits,
    hold: arrival.hold,
    watch: context.watch,
    decodedBytesMax: options.decodedBytesMax ?? limits.decodedBytesMax,
    ...(options.inspect !== undefined && { inspect: options.inspect }),
  })
  if (Buffer.isBuffer(result)) return result
  if (isRefusal(result)) return refusalAnswer(result)
  switch (result.type) {
    case 'timeout':
      return { ...detailAnswer(408, 'the body did not come in time', []), refused: 'timeout' }
    case 'busy': {
      const answer = detailAnswer(503, 'too many bodies are being read; try again in a moment', [])
      return { ...answer, headers: { ...answer.headers, 'retry-after': '5' }, refused: 'busy' }
    }
    case 'aborted':
      // Nobody is there to read it; it is counted.
      return { ...detailAnswer(400, 'the request was broken off', []), refused: 'aborted' }
  }
}

export interface Sender {
  readonly projectId: number
  readonly publicKey: string
}

/** Puts an envelope into the queue, which takes its bytes over; resolves when it is on disk. */
export async function publishEnvelope(
  context: IngestContext,
  arrival: Arrival,
  sender: Sender,
  bytes: Uint8Array,
): Promise<void> {
  const startedAt = performance.now()
  const { byteLength } = bytes
  await context.queue.publish({
    receivedAt: arrival.receivedAt,
    projectId: sender.projectId,
    keyId: sender.publicKey,
    remoteAddress: arrival.remoteAddress,
    userAgent: arrival.userAgent,
    bytes,
  })
  context.metrics.published(byteLength, (performance.now() - startedAt) / 1000)
}
