import { decodeEnvelopeHeader } from '@afterimage/protocol/envelope'
import type { EnvelopeHeader } from '@afterimage/protocol/envelope'
import { headerLineBytesMax } from '@afterimage/protocol/limits'
import { isRefusal } from '@afterimage/protocol/outcome'
import { tunnelBodiesBytesMax, tunnelBodyMsMax, tunnelDrainBytesMax } from './limits.ts'

export interface RefusedBody {
  readonly status: number
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReadBody {
  readonly bytes: Uint8Array
  /** Releases its memory; called once, when the bytes are not needed any more. */
  readonly release: () => void
}

/** Null when the body may be read on. */
type Inspect = (header: EnvelopeHeader) => RefusedBody | null

type BodyReader = (request: Request, inspect: Inspect) => Promise<ReadBody | RefusedBody>

const lineFeed = 0x0a

/**
 * Reads bodies, decompressed, of at most `bytesMax`. `inspect` sees the envelope header as soon as
 * its line has come: a body that will be refused is not read to its end.
 */
export function createBodyReader(bytesMax: number, msMax = tunnelBodyMsMax): BodyReader {
  const tooLarge = { status: 413, detail: `the body has more than ${bytesMax} bytes` }
  let bytesHeld = 0

  return async (request, inspect) => {
    if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return tooLarge
    const source = decoded(request)
    if ('status' in source) return source
    const reader = source.getReader()
    let isLate = false
    const timer = setTimeout(() => {
      // A cancelled body ends as a whole one does.
      isLate = true
      void reader.cancel('timeout').catch(() => {})
    }, msMax)
    const chunks: Uint8Array[] = []
    let length = 0
    let isInspected = false
    const release = (): void => {
      bytesHeld -= length
      length = 0
    }
    const stop = (refused: RefusedBody): RefusedBody => {
      release()
      void drain(reader, msMax)
      return refused
    }
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        if (length + value.length > bytesMax) return stop(tooLarge)
        if (bytesHeld + value.length > tunnelBodiesBytesMax) {
          return stop({ status: 503, detail: 'too much at once', headers: { 'retry-after': '5' } })
        }
        chunks.push(value)
        length += value.length
        bytesHeld += value.length
        if (isInspected || !(value.includes(lineFeed) || length > headerLineBytesMax)) continue
        isInspected = true
        const refused = inspectHeader(join(chunks, length), inspect)
        if (refused !== null) return stop(refused)
      }
      if (isLate) return stop({ status: 408, detail: 'the body is slow' })
      const bytes = join(chunks, length)
      const refused = isInspected ? null : inspectHeader(bytes, inspect)
      return refused === null ? { bytes, release } : stop(refused)
    } catch (error) {
      if ((error as { readonly status?: unknown } | null)?.status === 413) {
        return stop({ status: 413, detail: 'the application itself takes no body this large' })
      }
      return stop({ status: 400, detail: 'the body breaks off or is not in its encoding' })
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Reads what is left of a refused body, within limits, and keeps nothing: some servers answer the
 * end of reading by closing the connection, and the sender would never see why it is refused.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number): Promise<void> {
  const cancel = (): Promise<void> => reader.cancel().catch(() => {})
  const timer = setTimeout(() => void cancel(), ms)
  let length = 0
  try {
    while (length <= tunnelDrainBytesMax) {
      const { done, value } = await reader.read()
      if (done) return
      length += value.length
    }
    await cancel()
  } catch {
    // It has broken off.
  } finally {
    clearTimeout(timer)
  }
}

function inspectHeader(beginning: Uint8Array, inspect: Inspect): RefusedBody | null {
  const header = decodeEnvelopeHeader(beginning)
  return isRefusal(header) ? { status: 400, detail: header.detail } : inspect(header)
}

function decoded(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> | RefusedBody {
  const encoding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
  const { body } = request
  if (body === null) return { status: 400, detail: 'the body has no bytes' }
  if (body.locked || request.bodyUsed) {
    return { status: 400, detail: 'the body has been read before' }
  }
  if (encoding === '' || encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    return { status: 415, detail: 'envelopes come plain, as gzip or as deflate' }
  }
  return body.pipeThrough(new DecompressionStream(encoding))
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
