import { guard, guardEach } from '../guard.ts'

/** Told about something that begins; what it returns is told how it ended. */
export type Listener<Start, End = void> = (start: Start) => ((end: End) => void) | void

/** Adds a listener; what it answers takes it away again. */
export type Watch<Start, End = void> = (listener: Listener<Start, End>) => () => void

/**
 * One patch of the page for all who want to know. It is in place while anyone listens. `install`
 * gets the function that tells them, and answers what undoes it, step by step.
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

/** A method as its caller sees it: what it is called with is the page's business. */
export type Method = (this: unknown, ...values: unknown[]) => unknown

/**
 * Puts a method in place of another, which `make` gets. It is put back only where nobody has wrapped
 * ours since; there it goes on handing calls through, and nobody listens.
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
