import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, unzipSync } from 'node:zlib'
import type { SentRequest } from './capture.ts'
import type { Place } from './place.ts'

/** A canary that left the page. */
export interface Leak {
  readonly place: Place
  /** `POST https://host/path`. */
  readonly request: string
  /** `address`, `body`, or `header referer`. */
  readonly where: string
  /** The text around it. */
  readonly around: string
}

/** Packed data inside of packed data: envelopes hold recordings, and those may hold images. */
const depthMax = 4
const excerptCharacters = 90
/** A request that unpacks to more is not read further. */
const unpackedBytesMax = 256 * 1024 * 1024

/** All canaries in a request, each once per part of it. `page` is the origin under audit. */
export function findCanaries(
  { method, url, headers, body }: SentRequest,
  places: readonly Place[],
  page: string,
): Leak[] {
  const request = `${method} ${url.replace(/[?#].*/, '')}`
  const parts: [where: string, texts: readonly string[]][] = [['body', textsOf(body)]]
  // The request of a document shows where the person went, not a report.
  const isDocument = /^(document|iframe|frame)$/.test(headers['sec-fetch-dest'] ?? '')
  if (!isDocument) parts.push(['address', textsOf(Buffer.from(url))])
  for (const [name, value] of Object.entries(headers)) {
    // The page's own host gets its own address and cookies from the browser with every request.
    const isOwn = /^(referer|cookie)$/.test(name) && url.startsWith(page)
    if (!isOwn && !isDocument) parts.push([`header ${name}`, textsOf(Buffer.from(value))])
  }
  return parts.flatMap(([where, texts]) =>
    places.flatMap((place) => {
      const canary = place.canary.toLowerCase()
      const text = texts.find((it) => it.includes(canary))
      return text === undefined ? [] : [{ place, request, where, around: excerpt(text, canary) }]
    }),
  )
}

function excerpt(text: string, canary: string): string {
  const at = text.indexOf(canary)
  const start = Math.max(0, at - excerptCharacters)
  return text.slice(start, at + canary.length + 20).replace(/[^\x20-\x7e]+/g, ' ')
}

/** Everything that the bytes say, in lower case: as they are, unpacked, and with escapes undone. */
export function textsOf(bytes: Uint8Array): string[] {
  const texts = new Set<string>()
  let unpackedBytes = 0
  const add = (part: Buffer, depth: number): void => {
    const text = part.toString('utf8').toLowerCase()
    if (texts.has(text)) return
    texts.add(text)
    if (/%[0-9a-f]{2}/.test(text)) texts.add(unescapePercents(text))
    // Digits may stand in groups.
    if (/\d[ \u00a0-]\d/.test(text)) texts.add(text.replace(/(?<=\d)[^\p{L}\p{N}"]+(?=\d)/gu, ''))
    if (/\\u00/.test(text))
      texts.add(text.replace(/\\u(00[0-9a-f]{2})/g, (_, code) => letter(code)))
    if (depth >= depthMax) return
    for (const inner of [...unpack(part), ...base64Parts(part)]) {
      unpackedBytes += inner.length
      if (unpackedBytes <= unpackedBytesMax) add(inner, depth + 1)
    }
  }
  add(Buffer.from(bytes), 0)
  return [...texts]
}

function letter(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16)).toLowerCase()
}

function unescapePercents(text: string): string {
  return text.replace(/%([0-9a-f]{2})/g, (_, code: string) => letter(code))
}

/** Unpacks every part that begins like gzip or zlib, and the whole as brotli or bare deflate. */
function unpack(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length - 2; at += 1) {
    const first = bytes[at]
    const second = bytes[at + 1] ?? 0
    const isGzip = first === 0x1f && second === 0x8b
    const isZlib = first === 0x78 && (0x7800 + second) % 31 === 0
    if (!isGzip && !isZlib) continue
    const part = tryTo(() => (isGzip ? gunzipSync : inflateSync)(bytes.subarray(at), partly))
    if (part !== null && part.length > 0) found.push(part)
  }
  if (found.length === 0 && /[^\t\n\r\x20-\x7e]/.test(bytes.subarray(0, 200).toString('latin1'))) {
    for (const read of [brotliDecompressSync, inflateRawSync, unzipSync]) {
      const part = tryTo(() => read(bytes))
      if (part !== null && part.length > 0) found.push(part)
    }
  }
  return found
}

/** Ignores bytes after packed data, and reads truncated data as far as it goes. */
const partly = { finishFlush: 2, maxOutputLength: unpackedBytesMax }

function base64Parts(bytes: Buffer): Buffer[] {
  const runs = bytes.toString('latin1').match(/[A-Za-z0-9+/_-]{24,}={0,2}/g) ?? []
  return runs.map((run) => Buffer.from(run, 'base64'))
}

function tryTo(read: () => Buffer): Buffer | null {
  try {
    return read()
  } catch {
    return null
  }
}
