'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useRef, useState } from 'react'

export interface Selection {
  readonly chosen: readonly ApiIssue[]
  readonly has: (id: string) => boolean
  /** With `isRange` (shift) everything between the last one touched and this one follows. */
  readonly set: (index: number, isOn: boolean, isRange: boolean) => void
  readonly all: () => void
  /** Selects issues of other pages too. */
  readonly allOf: (issues: readonly ApiIssue[]) => void
  readonly none: () => void
}

/** Holds the selected rows; rows that leave the list leave the selection. */
export function useSelection(shown: readonly ApiIssue[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  /** Selected on pages that are not shown. */
  const [elsewhere, setElsewhere] = useState<readonly ApiIssue[]>([])
  const anchor = useRef(-1)
  const select = (ids: ReadonlySet<string>, others: readonly ApiIssue[]) => {
    setSelected(ids)
    setElsewhere(others)
  }
  return {
    chosen: [...shown.filter((issue) => selected.has(issue.id)), ...elsewhere],
    has: (id) => selected.has(id),
    set: (index, isOn, isRange) => {
      const from = isRange && anchor.current >= 0 ? anchor.current : index
      const next = new Set(selected)
      for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
        const id = shown[i]?.id
        if (id === undefined) continue
        if (isOn) next.add(id)
        else next.delete(id)
      }
      anchor.current = index
      // One row less than all of them is a choice among those that are seen.
      select(next, isOn ? elsewhere : [])
    },
    all: () => select(new Set(shown.map((issue) => issue.id)), []),
    allOf: (issues) => {
      const ids = new Set(shown.map((issue) => issue.id))
      select(
        ids,
        issues.filter((issue) => !ids.has(issue.id)),
      )
    },
    none: () => select(new Set(), []),
  }
}
