import type { WrittenItem } from '@afterimage/protocol/encode-envelope'

export interface OutgoingItem extends WrittenItem {
  /** Quantities lost with the item; by default one of its own category. */
  readonly counts?: Counts
}

/** Quantities by data category. */
export type Counts = Readonly<Record<string, number>>

/**
 * Returns the data category of an item that browsers send; by default it is the type's first word.
 */
export function categoryOf(itemType: string): string {
  if (itemType === 'event') return 'error'
  if (itemType === 'client_report') return 'internal'
  return itemType.replace(/_.*/, '')
}

export function countsOf({ header, counts }: OutgoingItem): Counts {
  return counts ?? { [categoryOf(header.type)]: 1 }
}
