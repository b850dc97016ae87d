'use client'

import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { useRef, useState } from 'react'

export interface Selection {
  readonly chosen: readonly ApiIssue[]
  readonly has: (id: string) => boolean
  /** With `isRange` (shift) everything between the last one touched and this one follows. */
  readonly set: (index: number, isOn: boolean, isRange: boolean) => void
  readonly all: () => void
  readonly none: () => void
}

/** Which rows are selected; rows that leave the list leave the selection. */
export function useSelection(shown: readonly ApiIssue[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef(-1)
  return {
    chosen: shown.filter((issue) => selected.has(issue.id)),
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
      setSelected(next)
    },
    all: () => setSelected(new Set(shown.map((issue) => issue.id))),
    none: () => setSelected(new Set()),
  }
}
