import type { ApiIssue } from '@afterimage/protocol/api/issue'

/** An issue for tests, with what a test changes. */
export function sampleIssue(change: Partial<ApiIssue> = {}): ApiIssue {
  return {
    id: '1',
    shortId: 'WEB-1',
    title: 'TypeError: x is undefined',
    culprit: 'formatTotal',
    permalink: '/issues/1',
    level: 'error',
    type: 'error',
    platform: 'javascript',
    logger: null,
    metadata: { type: 'TypeError', value: 'x is undefined' },
    status: 'unresolved',
    substatus: 'new',
    statusDetails: {},
    isUnhandled: true,
    project: { id: '1', slug: 'web', name: 'web', platform: null },
    assignedTo: null,
    count: '10',
    userCount: 4,
    firstSeen: '2026-11-20T10:00:00.000Z',
    lastSeen: '2026-11-20T12:00:00.000Z',
    numComments: 0,
    isBookmarked: false,
    hasSeen: false,
    firstRelease: { version: '2.14.0', shortVersion: '2.14.0' },
    lastRelease: { version: '2.14.0', shortVersion: '2.14.0' },
    issueType: 'error',
    issueCategory: 'error',
    priority: 'high',
    replayCount: 0,
    stats: {},
    ...change,
  }
}
