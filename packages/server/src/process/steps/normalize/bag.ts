import type { EventBag } from '@afterimage/protocol/event'
import type { BagLimit } from './limits.ts'
import { cut, isRecord } from './text.ts'

const keyMax = 256

interface Budget {
  left: number
}

/**
 * Copies JSON of unknown shape within a limit of size and depth. Long text is cut with `...`, members
 * that do not fit are dropped, and values that are too deep become `[Object]` or `[Array]`.
 */
export function boundedCopy(value: unknown, limit: BagLimit): unknown {
  return copy(value, { left: limit.size }, limit.depth)
}

/** Copies an object as `boundedCopy` does; null for anything that is not an object. */
export function boundedBag(value: unknown, limit: BagLimit): EventBag | null {
  return isRecord(value) ? (boundedCopy(value, limit) as EventBag) : null
}

function copy(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') {
    const text = value.length <= budget.left ? value : cut(value, Math.max(budget.left, 3))
    budget.left -= text.length + 2
    return text
  }
  if (typeof value !== 'object' || value === null) {
    budget.left -= 5
    return value
  }
  if (depth === 0) {
    budget.left -= 10
    return Array.isArray(value) ? '[Array]' : '[Object]'
  }
  budget.left -= 2
  return Array.isArray(value)
    ? copyList(value, budget, depth - 1)
    : copyRecord(value as Record<string, unknown>, budget, depth - 1)
}

function copyList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const out: unknown[] = []
  for (const item of list) {
    if (budget.left <= 0) break
    out.push(copy(item, budget, depth))
    budget.left -= 1
  }
  return out
}

function copyRecord(record: Record<string, unknown>, budget: Budget, depth: number): EventBag {
  const out: EventBag = {}
  for (const key in record) {
    if (budget.left <= 0) break
    // Assigning to this name would set the prototype of the copy.
    if (key === '__proto__') continue
    const name = key.length <= keyMax ? key : cut(key, keyMax)
    budget.left -= name.length + 4
    out[name] = copy(record[key], budget, depth)
  }
  return out
}
