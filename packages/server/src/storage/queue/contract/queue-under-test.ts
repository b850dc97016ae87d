import type { Delivery, Lease, QueueReader, QueueWriter } from '../port.ts'

/** Access of the contract to an adapter: both sides of one queue, and the death of its reader. */
export interface QueueUnderTest {
  openWriter(): Promise<QueueWriter>
  openReader(): Promise<QueueReader>
  /** Leaves a reader as the death of its process would: nothing is closed or given back. */
  abandonReader(reader: QueueReader): unknown
  dispose(): Promise<void>
}

export function delivery(text: string, fields: Partial<Delivery> = {}): Delivery {
  return {
    receivedAt: 1_780_000_000_000,
    projectId: 1,
    keyId: '0123456789abcdef0123456789abcdef',
    remoteAddress: '192.0.2.7',
    userAgent: 'test',
    bytes: Buffer.from(text),
    ...fields,
  }
}

export function textsOf(leases: readonly Lease[]): string[] {
  return leases.map((lease) => Buffer.from(lease.delivery.bytes).toString())
}
