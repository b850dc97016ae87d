import { expect, test } from 'vitest'
import { readRefusedRequests } from '../stats/refused-requests.ts'
import type { Delivery } from '../storage/queue/port.ts'
import { countRefusedKeys } from './refused-keys.ts'

function counting(publish: (delivery: Delivery) => Promise<void>) {
  const failures: unknown[] = []
  const refused = countRefusedKeys(
    { publish },
    (id) => id < 1000,
    (cause) => failures.push(cause),
  )
  return { refused, failures }
}

test('requests with a wrong key are counted by project and reason, and published together', async () => {
  const published: Delivery[] = []
  const { refused } = counting((delivery) => Promise.resolve(void published.push(delivery)))
  for (let times = 0; times < 500; times++) refused.note(1, 'unknown_key')
  refused.note(1, 'unknown_project')
  refused.note(2, 'unknown_key')
  await refused.flush()
  await refused.flush()
  refused.close()
  expect(published.map(readRefusedRequests)).toEqual([
    { projectId: 1, reason: 'unknown_key', count: 500 },
    { projectId: 1, reason: 'unknown_project', count: 1 },
    { projectId: 2, reason: 'unknown_key', count: 1 },
  ])
})

test('refusals without a project of this server are not counted, and strangers cannot fill the queue', async () => {
  const published: Delivery[] = []
  const { refused } = counting((delivery) => Promise.resolve(void published.push(delivery)))
  refused.note(5000, 'unknown_key')
  refused.note('any', 'unknown_key')
  refused.note(1, 'too_large')
  refused.note(1, undefined)
  await refused.flush()
  expect(published).toEqual([])
  for (let project = 0; project < 1000; project++) refused.note(project, 'unknown_key')
  await refused.flush()
  refused.close()
  expect(published).toHaveLength(100)
})

test('a queue that is full costs the counts, and is said', async () => {
  const { refused, failures } = counting(() => Promise.reject(new Error('full')))
  refused.note(1, 'unknown_key')
  await refused.flush()
  refused.close()
  expect(failures).toEqual([new Error('full')])
})
