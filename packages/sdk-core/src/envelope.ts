import type { WrittenItem } from '@afterimage/protocol/encode-envelope'

export interface OutgoingItem extends WrittenItem {
  /** What is lost with it; one of its own category unless given. */
  readonly counts?: Counts
}

/** Quantities by data category. */
export type Counts = Readonly<Record<string, number>>

/** The data category of what browsers send; where it is not in the list, it is called as the type. */
export function categoryOf(itemType: string): string {
  if (itemType === 'event') return 'error'
  if (itemType === 'client_report') return 'internal'
  return itemType.replace(/_.*/, '')
}

export function countsOf({ header, counts }: OutgoingItem): Counts {
  return counts ?? { [categoryOf(header.type)]: 1 }
}
