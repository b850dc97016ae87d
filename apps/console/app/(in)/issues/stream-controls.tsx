'use client'

import { useCallback, type ComponentProps } from 'react'
import { tagValues } from '../../../data/issue-changes.ts'
import { FilterRow as Row } from '../../../features/stream/stream-top.tsx'

export { ViewRow } from '../../../features/stream/stream-top.tsx'

/** Draws the filter row, with suggestions from the API. */
export function FilterRow(props: Omit<ComponentProps<typeof Row>, 'askValues'>) {
  const { project } = props.filter
  const askValues = useCallback((key: string) => tagValues(key, project), [project])
  return <Row {...props} askValues={askValues} />
}
