/**
 * Named byte strings that are written once: replay segments, attachments, source maps.
 * Keys are `/`-separated segments of `[a-zA-Z0-9._-]`; no segment is empty, `.` or `..`.
 */
export interface Blobs {
  /** Writes a blob, durable when it resolves. Writing the same key again replaces it whole. */
  put(key: string, body: Uint8Array | ReadableStream<Uint8Array>): Promise<void>
  /** Reads a blob; null when there is none. */
  get(key: string): Promise<StoredBlob | null>
  /** Deletes a blob. Idempotent: a missing key is not an error. */
  delete(key: string): Promise<void>
  /** Lists blobs in order of key. */
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
