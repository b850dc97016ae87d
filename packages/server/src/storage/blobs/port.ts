/**
 * Named byte strings that are written once: replay segments, attachments, source maps.
 * Keys are `/`-separated segments of `[a-zA-Z0-9._-]`; no segment is empty, `.` or `..`.
 */
export interface Blobs {
  /** Durable when it resolves. Writing the same key again replaces it whole. */
  put(key: string, body: Uint8Array | ReadableStream<Uint8Array>): Promise<void>
  /** Null when there is none. */
  get(key: string): Promise<StoredBlob | null>
  /** Idempotent: a key that is not there is no error. */
  delete(key: string): Promise<void>
  /** In order of key. */
  list(prefix: string): AsyncIterable<BlobEntry>
  close(): Promise<void>
}

export interface BlobEntry {
  readonly key: string
  readonly bytes: number
}

export interface StoredBlob {
  readonly bytes: number
  readonly body: ReadableStream<Uint8Array>
}
