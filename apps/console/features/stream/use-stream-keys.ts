'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useRef, useState, type RefObject } from 'react'
import { useKeys } from '../../ui/keys.tsx'
import type { Selection } from './use-selection.ts'

interface StreamKeys {
  readonly shown: readonly ApiIssue[]
  readonly selection: Selection
  /** On what is selected, else on the row under the cursor. */
  readonly onToggle: (issues: readonly ApiIssue[]) => void
  readonly onArchive: (issues: readonly ApiIssue[]) => void
  readonly onAssign: (issue: ApiIssue) => void
  readonly onOpen: (issue: ApiIssue) => void
}

/** Binds the list's keys: a cursor over its rows, and actions on them. */
export function useStreamKeys(keys: StreamKeys): {
  /** Row under the cursor; -1 before it was moved. */
  readonly at: number
  readonly list: RefObject<HTMLOListElement | null>
} {
  const { shown, selection } = keys
  const [cursor, setCursor] = useState(-1)
  const list = useRef<HTMLOListElement>(null)
  const at = Math.min(cursor, shown.length - 1)
  const current = shown[at]
  const targets =
    selection.chosen.length > 0 ? selection.chosen : current === undefined ? [] : [current]
  const move = (step: 1 | -1) => () => {
    const next = Math.max(0, Math.min(shown.length - 1, at + step))
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    setCursor(next)
  }
  const onCurrent = (act: (issue: ApiIssue) => void) => () => {
    if (current !== undefined) act(current)
  }
  useKeys({
    j: move(1),
    k: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    x: onCurrent((issue) => selection.set(at, !selection.has(issue.id), false)),
    e: () => keys.onToggle(targets),
    i: () => keys.onArchive(targets),
    a: onCurrent(keys.onAssign),
    Enter: onCurrent(keys.onOpen),
    Escape: selection.none,
  })
  return { at, list }
}
