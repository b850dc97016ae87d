import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { Archive, Check, Sparkle, TrendingUp, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../ui/badge.tsx'

const SIZE = { size: 12, 'aria-hidden': true } as const

/** The badge of an issue's state; null while it is neither new nor changed nor put away. */
export function IssueState(props: { readonly issue: Pick<ApiIssue, 'status' | 'substatus'> }) {
  const state = stateOf(props.issue)
  if (state === null) return null
  return (
    <Badge tone={state.tone} icon={state.icon}>
      {state.word}
    </Badge>
  )
}

function stateOf(
  issue: Pick<ApiIssue, 'status' | 'substatus'>,
): { tone: Tone; word: string; icon: ReactNode } | null {
  if (issue.status === 'resolved')
    return { tone: 'resolved', word: 'Resolved', icon: <Check {...SIZE} /> }
  if (issue.status === 'ignored')
    return { tone: 'archived', word: 'Archived', icon: <Archive {...SIZE} /> }
  if (issue.substatus === 'new') return { tone: 'new', word: 'New', icon: <Sparkle {...SIZE} /> }
  if (issue.substatus === 'regressed') {
    return { tone: 'regressed', word: 'Regressed', icon: <Undo2 {...SIZE} /> }
  }
  if (issue.substatus === 'escalating') {
    return { tone: 'escalating', word: 'Escalating', icon: <TrendingUp {...SIZE} /> }
  }
  return null
}
