import { expect, test } from 'vitest'
import { archiveChange, assignChange, leavesView, resolveChange } from './changes.ts'
import { sampleIssue } from './sample-issue.fixture.ts'
import { undoGroups } from './use-issue-changes.ts'

test('a resolved issue leaves the views of open ones and stays in searches', () => {
  expect(leavesView('is:unresolved level:error', 'resolved')).toBe(true)
  expect(leavesView('is:regressed', 'ignored')).toBe(true)
  expect(leavesView('level:error', 'resolved')).toBe(false)
  expect(leavesView('is:archived', 'ignored')).toBe(false)
  expect(leavesView('is:archived', 'unresolved')).toBe(true)
})

test('a change is written with the name or the number', () => {
  const issue = sampleIssue()
  expect(resolveChange([issue], '').said).toBe('WEB-1 resolved')
  expect(archiveChange([issue, issue], '').said).toBe('2 issues archived until they escalate')
  expect(assignChange([issue], { id: '7', name: 'Mara', email: 'm@x' }).said).toBe(
    'WEB-1 assigned to Mara',
  )
})

test('undo puts every issue back as it was, one request per state', () => {
  const issues = [
    sampleIssue({ id: '1' }),
    sampleIssue({ id: '2' }),
    sampleIssue({ id: '3', status: 'resolved', substatus: null }),
  ]
  expect(undoGroups(issues, { status: 'ignored' })).toEqual([
    { ids: ['1', '2'], update: { status: 'unresolved', substatus: 'new' } },
    { ids: ['3'], update: { status: 'resolved' } },
  ])
  expect(undoGroups(issues, { assignedTo: 'user:1' })).toEqual([
    { ids: ['1', '2', '3'], update: { assignedTo: null } },
  ])
})

test('undo of opening an archived issue archives it under what was left of its condition', () => {
  const archived = { status: 'ignored', substatus: 'archived_until_condition_met' } as const
  const day = new Date(Date.now() + 86_400_000).toISOString()
  const groups = undoGroups(
    [
      sampleIssue({ id: '1', ...archived, statusDetails: { ignoreCount: 10 } }),
      sampleIssue({ id: '2', ...archived, statusDetails: { ignoreUntil: day } }),
    ],
    { status: 'unresolved' },
  )
  expect(groups.map((group) => group.update)).toEqual([
    { ...archived, statusDetails: { ignoreCount: 10 } },
    { ...archived, statusDetails: { ignoreDuration: 1440 } },
  ])
})
