import type { ApiEvent, ApiFrame } from '@afterimage/protocol/api/event'
import { bareStack, exceptionsOf } from './frames.ts'

/** Returns the newest application frame, else the newest one; null without a stack. */
export function newestOwnFrame(event: Pick<ApiEvent, 'entries'>): ApiFrame | null {
  const stack = exceptionsOf(event)[0]?.exception.stacktrace ?? bareStack(event)
  if (stack === null) return null
  return stack.frames.findLast((frame) => frame.inApp) ?? stack.frames.at(-1) ?? null
}
