import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'

/** The last Brotli that can be made to write outside its memory (CVE-2026-111497). */
const lastUnsafeBrotli = [1, 2, 0] as const

/** Tells whether this version of Brotli is safe for untrusted bytes. An unreadable version is not. */
export function isBrotliSafe(version: string | undefined): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number)
  if (parts === undefined) return false
  const index = lastUnsafeBrotli.findIndex((last, at) => parts[at] !== last)
  return index !== -1 && (parts[index] ?? 0) > (lastUnsafeBrotli[index] ?? 0)
}

const isBrotliTaken = isBrotliSafe(process.versions.brotli)

/** Says at the start why bodies in Brotli are refused; null where they are taken. */
export function brotliWarning(): string | null {
  if (isBrotliTaken) return null
  return (
    `bodies in Brotli are refused with 415: Node.js ${process.version} brings Brotli ` +
    `${process.versions.brotli}, which has a known flaw; docs/operating.md says which Node.js has none`
  )
}

/**
 * The decoder of a `Content-Encoding`. Null is identity, which everything unknown counts as: some
 * SDKs send an empty header.
 */
export function createDecoder(encoding: string | undefined): Transform | null | Refusal {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return isBrotliTaken ? createBrotliDecompress() : brotliRefusal
    case 'zstd':
      return createZstdDecompress()
    default:
      return null
  }
}

const brotliRefusal = refuse(
  'unsupported_media_type',
  'content encoding "br" is not taken by this server; send gzip, deflate or zstd',
)
