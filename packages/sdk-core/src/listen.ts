import { guard } from './guard.ts'

/**
 * Listens before the page's own listeners, guarded and without delaying scrolling. Returns a
 * function that removes the listener.
 */
export function listen(
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
): () => void {
  const options = { capture: true, passive: true }
  const handle = (event: Event): void => guard(() => listener(event as never))
  target.addEventListener(type, handle, options)
  return () => target.removeEventListener(type, handle, options)
}
