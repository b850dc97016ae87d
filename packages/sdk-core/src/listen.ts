import { guard } from './guard.ts'

/**
 * Hears of an event before the page's own listeners do, without delaying scrolling; what it answers
 * ends that. Guarded.
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
