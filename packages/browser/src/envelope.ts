import type { ItemHeader } from '@afterimage/protocol/envelope'

export interface OutgoingItem {
  readonly header: ItemHeader
  /** Text is sent as UTF-8. */
  readonly payload: string | Uint8Array
  /** What is lost with it; one of its own category unless given. */
  readonly counts?: Counts
}

/** Quantities by data category. */
export type Counts = Readonly<Record<string, number>>

/** The data category of what browsers send; where it is not in the list, it is called as the type. */
export function categoryOf(itemType: string): string {
  if (itemType === 'event') return 'error'
  if (itemType === 'client_report') return 'internal'
  return itemType.replace(/^replay_.*/, 'replay')
}

export function countsOf({ header, counts }: OutgoingItem): Counts {
  return counts ?? { [categoryOf(header.type)]: 1 }
}

/** Writes an envelope; every item states its length in bytes. */
export function encodeEnvelope(header: object, items: readonly OutgoingItem[]): Uint8Array {
  const encoder = new TextEncoder()
  let bytes = encoder.encode(JSON.stringify(header))
  function add(part: Uint8Array): void {
    const longer = new Uint8Array(bytes.length + part.length)
    longer.set(bytes)
    longer.set(part, bytes.length)
    bytes = longer
  }
  for (const { header, payload } of items) {
    const body = typeof payload === 'string' ? encoder.encode(payload) : payload
    add(encoder.encode(`\n${JSON.stringify({ ...header, length: body.length })}\n`))
    add(body)
  }
  return bytes
}
