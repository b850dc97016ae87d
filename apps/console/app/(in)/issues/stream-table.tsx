'use client'

import { useCallback, type ComponentProps } from 'react'
import { pollIssues, readAllIssues, updateIssues } from '../../../data/issue-changes.ts'
import { Stream } from '../../../features/stream/stream.tsx'

/** Draws the table, with actions sent to the API. `path` is the API's path for these rows. */
export function StreamTable(
  props: Omit<ComponentProps<typeof Stream>, 'update' | 'poll' | 'readAll'> & {
    readonly path: string
  },
) {
  const { path, ...rest } = props
  const poll = useCallback(() => pollIssues(path), [path])
  const readAll = useCallback((most: number) => readAllIssues(path, most), [path])
  return <Stream {...rest} update={updateIssues} poll={poll} readAll={readAll} />
}
