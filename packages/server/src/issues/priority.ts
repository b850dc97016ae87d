import type { IssueRow } from './row.ts'

/** The categories that a search for issues may name. */
export const issueCategories = ['error', 'feedback']

export const priorities = ['high', 'medium', 'low']

/** Returns how urgent an issue is: high when nothing caught it, low below a warning. */
export function priorityOf(issue: Pick<IssueRow, 'level' | 'is_unhandled'>): string {
  if (issue.level === 'fatal' || issue.is_unhandled === 1) return 'high'
  return ['info', 'debug'].includes(issue.level) ? 'low' : 'medium'
}

/** The same in SQL, of the table `issues` called `i`. */
export const prioritySql = `(case when i.level = 'fatal' or i.is_unhandled = 1 then 'high'
  when i.level in ('info', 'debug') then 'low' else 'medium' end)`
