'use client'

import { useCallback, type ComponentProps } from 'react'
import { pollIssues, updateIssues } from '../../../data/issue-changes.ts'
import { Stream } from '../../../features/stream/stream.tsx'

/** The table, with the API behind its actions. `path` is what the server asked for these rows. */
export function StreamTable(
  props: Omit<ComponentProps<typeof Stream>, 'update' | 'poll'> & { readonly path: string },
) {
  const { path, ...rest } = props
  const poll = useCallback(() => pollIssues(path), [path])
  return <Stream {...rest} update={updateIssues} poll={poll} />
}
