import type { ApiEvent } from '@afterimage/protocol/api/event'
import { expect, test } from 'vitest'
import { sampleIssue } from '../stream/sample-issue.fixture.ts'
import { issueMarkdown, stackText } from './markdown.ts'
import { sampleEvent } from './sample-event.fixture.ts'

test('an issue with its event is one document', () => {
  const text = issueMarkdown(sampleIssue(), sampleEvent(), 'https://errors.example/issues/1')
  expect(text).toBe(`# TypeError: x is undefined

- Issue: WEB-1 (https://errors.example/issues/1)
- Where: formatTotal
- Level: error
- Events: 10, people: 4
- First seen: 2026-11-20T10:00:00.000Z, last seen: 2026-11-20T12:00:00.000Z
- Event: 9f3c1d2e9f3c1d2e9f3c1d2e9f3c1d2e, 2026-11-20T12:00:00.000Z
- Release: 2.14.0
- Environment: production

## Stack trace

\`\`\`
TypeError: x is undefined
    at formatTotal (checkout/price-summary.tsx:87:42)
    at onSubmit (checkout/voucher-form.tsx:29)
\`\`\`

## The seconds before

- −6.4 s Clicked button.apply

## Tags

- browser: Safari 17.6
`)
})

test('an issue without an event is its facts', () => {
  expect(issueMarkdown(sampleIssue(), null, 'u').split('\n')).toHaveLength(8)
})

test('a stack with a fence in it cannot end the fence', () => {
  const event: ApiEvent = sampleEvent()
  const entry = event.entries[0]
  if (entry?.type !== 'exception') throw new Error('the sample begins with an exception')
  const value = { ...entry.data.values[0], value: '```' } as (typeof entry.data.values)[number]
  const tricky = { ...event, entries: [{ ...entry, data: { ...entry.data, values: [value] } }] }
  expect(issueMarkdown(sampleIssue(), tricky, 'u')).toContain('````\nTypeError: ```')
})

test('an event without a stack has no text', () => {
  expect(stackText({ entries: [] })).toBe('')
})
