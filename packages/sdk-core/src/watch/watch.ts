import { guard, guardEach } from '../guard.ts'

/** Called when something begins; the function that it returns is called with the end. */
export type Listener<Start, End = void> = (start: Start) => ((end: End) => void) | void

/** Adds a listener; returns a function that removes it. */
export type Watch<Start, End = void> = (listener: Listener<Start, End>) => () => void

/**
 * Creates one patch of the page for all listeners, in place while there are any. `install` gets the
 * function that calls them, and returns the steps that undo the patch.
 */
export function createWatch<Start, End = void>(
  install: (tell: (start: Start) => (end: End) => void) => readonly (() => void)[],
): Watch<Start, End> {
  const listeners = new Set<Listener<Start, End>>()
  let undo: readonly (() => void)[] | undefined

  function tell(start: Start): (end: End) => void {
    const ends = [...listeners].map((listen) => guard(() => listen(start)))
    return (end) => guardEach(ends, (finish) => finish?.(end))
  }

  return (listener) => {
    if (listeners.size === 0) undo = guard(() => install(tell))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) guardEach(undo ?? [], (step) => step())
    }
  }
}

/** A method as its caller sees it; its arguments are the page's business. */
export type Method = (this: unknown, ...values: unknown[]) => unknown

/**
 * Replaces a method by the one that `make` returns; returns a function that restores it. A method
 * that others have wrapped since stays in place, and only passes calls on.
 */
export function patch(owner: object, name: string, make: (original: Method) => Method): () => void {
  const methods = owner as Record<string, Method>
  const original = methods[name]
  if (typeof original !== 'function') return () => undefined
  const ours = make(original)
  methods[name] = ours
  return () => {
    if (methods[name] === ours) methods[name] = original
  }
}
