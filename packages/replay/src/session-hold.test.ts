import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSessionHold } from './session-hold.ts'
import { memoryStorage } from './testing/fake-surroundings.ts'

/** A tab's storage with a session in it, and with keys of the page's own. */
function tab(): Storage {
  const storage = memoryStorage()
  for (const name of ['afterimageReplay', 'afterimageReplayCarry', 'cart']) {
    storage.setItem(name, name)
  }
  return storage
}

/** Returns the keys that a document may continue with. */
function left(storage: Storage | null): string[] | null {
  return storage && Object.keys(storage).filter((it) => it !== 'afterimageReplayHeld')
}

function copy(storage: Storage): Storage {
  const other = memoryStorage()
  for (const name of Object.keys(storage)) other.setItem(name, storage.getItem(name)!)
  return other
}

const all = ['afterimageReplay', 'afterimageReplayCarry', 'cart']

beforeEach(() => {
  vi.stubGlobal('self', globalThis)
  vi.stubGlobal('parent', globalThis)
})
afterEach(() => vi.unstubAllGlobals())

test('the next document of a tab takes the session that the one before released', () => {
  vi.stubGlobal('sessionStorage', tab())
  for (let n = 0; n < 3; n += 1) {
    const hold = createSessionHold()
    hold.claim()
    expect(left(hold.take())).toEqual(all)
    hold.release()
  }
})

test.each([false, true])(
  'a tab that was copied from one with a document begins its own; the copy was made early is %s',
  (isEarly) => {
    const storage = tab()
    vi.stubGlobal('sessionStorage', storage)
    const first = createSessionHold()
    first.claim()
    if (!isEarly) first.take()
    vi.stubGlobal('sessionStorage', copy(storage))
    const second = createSessionHold()
    second.claim()
    expect(left(second.take())).toEqual(['cart'])
    vi.stubGlobal('sessionStorage', storage)
    expect(left(first.take())).toEqual(all)
  },
)

test('a document of a copied tab that is left early leaves the decision to the next one', () => {
  const storage = tab()
  vi.stubGlobal('sessionStorage', storage)
  createSessionHold().claim()
  const second = createSessionHold()
  second.claim()
  second.release()
  const third = createSessionHold()
  third.claim()
  expect(left(third.take())).toEqual(['cart'])
  third.release()
  expect(left(createSessionHold().take())).toEqual(['cart'])
})

test('a document that begins while the one before is still leaving takes the session', () => {
  vi.stubGlobal('sessionStorage', tab())
  const before = createSessionHold()
  before.claim()
  const next = createSessionHold()
  next.claim()
  before.release()
  expect(left(next.take())).toEqual(all)
})

test('a page that comes back holds the session again', () => {
  const storage = tab()
  vi.stubGlobal('sessionStorage', storage)
  const hold = createSessionHold()
  hold.claim()
  hold.release()
  expect(left(hold.take())).toEqual(all)
  expect(left(createSessionHold().take())).toEqual(['cart'])
})

test('a page that comes back to a stale storage holds it without the session', () => {
  const storage = tab()
  vi.stubGlobal('sessionStorage', storage)
  const hold = createSessionHold()
  hold.claim()
  hold.release()
  expect(left(hold.take(true))).toEqual(['cart'])
  expect(storage.getItem('afterimageReplayHeld')).not.toBeNull()
})

test('a frame leaves the session to the document whose storage it shares', () => {
  const storage = tab()
  vi.stubGlobal('sessionStorage', storage)
  createSessionHold().claim()
  vi.stubGlobal('parent', {})
  const frame = createSessionHold()
  frame.claim()
  expect(frame.take()).toBeNull()
  expect(frame.take(true)).toBeNull()
  frame.release()
  expect(left(storage)).toEqual(all)
})

test('without storage nothing is held, and nothing is thrown', () => {
  const hold = createSessionHold()
  hold.claim()
  expect(hold.take()).toBeNull()
  hold.release()
})
