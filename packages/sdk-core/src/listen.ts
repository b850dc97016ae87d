import { guard } from './guard.ts'

/**
 * Listens before the page's own listeners, guarded. Returns a function that removes the listener.
 * Not for touch and wheel, which would delay scrolling.
 */
export function listen(
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
): () => void {
  const handle = (event: Event): void => guard(() => listener(event as never))
  target.addEventListener(type, handle, true)
  return () => target.removeEventListener(type, handle, true)
}
