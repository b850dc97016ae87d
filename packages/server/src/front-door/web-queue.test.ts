import { expect, test, vi } from 'vitest'
import { WebQueue, type WebTurn } from './web-queue.ts'

const limits = {
  webRequestsMax: 2,
  webRequestsPerSenderMax: 2,
  webWaitingMax: 4,
  webWaitMs: 60_000,
}

/** A queue that writes down what happens to each request. */
function openQueue(options: Partial<typeof limits> = {}) {
  const queue = new WebQueue({ ...limits, ...options })
  const said: string[] = []
  const turns = new Map<string, WebTurn>()
  return {
    queue,
    said,
    enter: (sender: string, name: string) => {
      const say = (what: string) => () => void said.push(`${name} ${what}`)
      turns.set(name, queue.enter(sender, say('begins'), say('is refused')))
    },
    leave: (name: string) => turns.get(name)?.leave(),
  }
}

test('so many requests are worked on at once, and the next one when one of them ends', () => {
  const { queue, said, enter, leave } = openQueue()
  for (const name of ['1', '2', '3', '4']) enter('a', name)
  expect(said).toEqual(['1 begins', '2 begins'])
  leave('2')
  leave('2')
  expect([said.at(-1), queue.waiting]).toEqual(['3 begins', 1])
  leave('1')
  leave('3')
  leave('4')
  enter('a', '5')
  expect(said.slice(3)).toEqual(['4 begins', '5 begins'])
})

test('senders take turns', () => {
  const { said, enter, leave } = openQueue({ webRequestsMax: 1 })
  for (const name of ['a1', 'a2', 'a3', 'b1']) enter(name.slice(0, 1), name)
  for (const name of ['a1', 'a2', 'b1']) leave(name)
  expect(said).toEqual(['a1 begins', 'a2 begins', 'b1 begins', 'a3 begins'])
})

test('one sender never has all places: another begins at once', () => {
  const { said, enter, leave } = openQueue({ webRequestsPerSenderMax: 1 })
  for (const name of ['a1', 'a2', 'b1']) enter(name.slice(0, 1), name)
  expect(said).toEqual(['a1 begins', 'b1 begins'])
  leave('b1')
  expect(said).toHaveLength(2)
  leave('a1')
  expect(said.at(-1)).toBe('a2 begins')
})

test('a waiting request may leave', () => {
  const { queue, said, enter, leave } = openQueue({ webRequestsMax: 1 })
  for (const name of ['1', '2', '3']) enter('a', name)
  leave('2')
  leave('1')
  expect([said, queue.waiting]).toEqual([['1 begins', '3 begins'], 0])
})

test('beyond the limit the sender with the longest line is refused, not the one who comes last', () => {
  const { said, enter } = openQueue()
  for (const name of ['1', '2', '3', '4', '5', '6']) enter('crowd', name)
  enter('visitor', 'page')
  expect(said).toEqual(['1 begins', '2 begins', '6 is refused'])
  enter('crowd', '7')
  expect(said.at(-1)).toBe('7 is refused')
})

test('nobody waits for ever', () => {
  vi.useFakeTimers()
  const { queue, said, enter, leave } = openQueue({ webRequestsMax: 1, webWaitMs: 1000 })
  enter('a', '1')
  enter('a', '2')
  vi.advanceTimersByTime(1000)
  expect([said, queue.waiting]).toEqual([['1 begins', '2 is refused'], 0])
  leave('2')
  leave('1')
  enter('a', '3')
  expect(said.at(-1)).toBe('3 begins')
  vi.useRealTimers()
})
