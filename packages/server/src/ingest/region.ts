import { clientSettingsParameter } from '@afterimage/protocol/client-settings'
import { AppError } from '../errors.ts'
import type { Answer } from './answer.ts'
import type { Arrival, IngestContext } from './arrival.ts'

/** Headers for senders: to slow them down, to say what was wrong, and for caches. The rest stays there. */
const returnedHeaders = [
  'x-sentry-rate-limits',
  'retry-after',
  'x-sentry-error',
  'etag',
  'cache-control',
] as const

/** The address of a region that another server handles; null for one that is handled here. */
export function regionOf(
  regions: Readonly<Record<string, string>>,
  name: string | null,
): string | null {
  return name !== null && Object.hasOwn(regions, name) ? (regions[name] ?? null) : null
}

/**
 * Hands an envelope to the server of a region and gives its answer back: status, body and
 * rate-limit headers unchanged. The address is the configured one; it is asked at the direct
 * envelope path, which never forwards, so that two servers cannot send one envelope in circles.
 * Cookies and everything else the browser added stay here.
 * @throws UPSTREAM_FAILED
 */
export async function answerRegion(
  context: IngestContext,
  arrival: Arrival,
  envelope: { readonly address: string; readonly projectId: number; readonly body: Buffer },
): Promise<Answer> {
  return exchange(context, arrival, envelopesOf(envelope), {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope' },
    body: new Uint8Array(envelope.body),
  })
}

/**
 * Asks the server of a region for the settings of clients, and gives its answer back.
 * @throws UPSTREAM_FAILED
 */
export async function askRegion(
  context: IngestContext,
  arrival: Arrival,
  asked: { readonly address: string; readonly projectId: number; readonly publicKey: string },
): Promise<Answer> {
  const known = arrival.request.headers['if-none-match']
  const url = `${envelopesOf(asked)}?${clientSettingsParameter}=${asked.publicKey}`
  return exchange(context, arrival, url, {
    headers: known === undefined ? {} : { 'if-none-match': known },
  })
}

function envelopesOf(region: { readonly address: string; readonly projectId: number }): string {
  return `${region.address.replace(/\/+$/, '')}/api/${region.projectId}/envelope/`
}

async function exchange(
  { limits }: IngestContext,
  arrival: Arrival,
  url: string,
  {
    headers: asked,
    ...request
  }: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.regionMs),
      headers: {
        ...asked,
        // Its answers are short, and nothing that another server encoded is decoded here.
        'accept-encoding': 'identity',
        ...(arrival.userAgent !== null && { 'user-agent': arrival.userAgent }),
        ...(arrival.remoteAddress !== null && { 'x-forwarded-for': arrival.remoteAddress }),
      },
    })
    const headers: Record<string, string> = {}
    for (const name of returnedHeaders) {
      const value = response.headers.get(name)
      if (value !== null) headers[name] = value
    }
    return {
      status: response.status,
      body: await readAtMost(response, limits.regionAnswerBytesMax),
      contentType: response.headers.get('content-type') ?? 'application/json',
      headers,
    }
  } catch (cause) {
    throw new AppError('UPSTREAM_FAILED', 'The region of this envelope did not answer.', { cause })
  }
}

async function readAtMost(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
