'use client'

import type { ComponentProps } from 'react'
import { tagValues } from '../../../data/issue-changes.ts'
import { FilterRow as Row } from '../../../features/stream/stream-top.tsx'

export { ViewRow } from '../../../features/stream/stream-top.tsx'

/** The filter row, with the API behind its suggestions. */
export function FilterRow(props: Omit<ComponentProps<typeof Row>, 'askValues'>) {
  return <Row {...props} askValues={tagValues} />
}
