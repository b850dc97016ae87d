import type { EventLevel, EventUser } from '@afterimage/protocol/event'
import type { Breadcrumb, CaptureContext, SdkEvent } from './event.ts'
import { normalize } from './normalize.ts'

type Value = string | number | boolean | null | undefined
type Bag = Record<string, unknown>

/** What holds for every event captured while it is current. Undefined takes a member out. */
export interface Scope {
  /** Plain data: nothing of the page is held on to. */
  readonly data: CaptureContext
  readonly breadcrumbs: Breadcrumb[]
  setUser(user: EventUser | null): void
  setTag(key: string, value: Value): void
  setTags(tags: Readonly<Record<string, Value>>): void
  setExtra(key: string, value: unknown): void
  setContext(name: string, context: Readonly<Bag> | null): void
  setLevel(level: EventLevel): void
  setFingerprint(fingerprint: readonly string[]): void
  setTransactionName(name: string): void
}

/** A scope of its own that begins as a copy. */
export function createScope(parent?: Scope): Scope {
  const data: Scope['data'] = {}
  const scope: Scope = {
    data,
    breadcrumbs: parent === undefined ? [] : [...parent.breadcrumbs],
    setUser: (user) => assign('user', user ?? undefined),
    setTag: (key, value) => scope.setTags({ [key]: value }),
    setTags: (tags) => assign('tags', { ...data.tags, ...tags }),
    setExtra: (key, value) => assign('extra', { ...data.extra, [key]: value }),
    setContext: (name, context) =>
      assign('contexts', { ...data.contexts, [name]: context ?? undefined }),
    setLevel: (level) => assign('level', level),
    setFingerprint: (fingerprint) => assign('fingerprint', fingerprint),
    setTransactionName: (name) => assign('transaction', name),
  }
  function assign(key: keyof CaptureContext, value: unknown): void {
    data[key] = normalize(value) as never
  }
  Object.assign(data, parent?.data)
  return scope
}

let current = createScope()

export function getScope(): Scope {
  return current
}

/**
 * Runs `callback` with a copy of the scope, which is gone afterwards. It is current until the
 * callback returns: what runs later than that, after an `await`, should use the scope it was given.
 */
export function withScope<R>(callback: (scope: Scope) => R): R {
  const outer = current
  const inner = createScope(outer)
  current = inner
  try {
    return callback(inner)
  } finally {
    current = outer
  }
}

/** Lays a scope under an event, and the words of one capture over both. */
export function applyScope(event: SdkEvent, scope: Scope, context: CaptureContext = {}): void {
  const { data } = scope
  const extra = normalize(context) as CaptureContext
  const own = { ...event }
  Object.assign(event, data, own, extra)
  for (const key of ['tags', 'extra', 'contexts'] as const) {
    const bag = { ...data[key], ...own[key], ...extra[key] }
    if (Object.keys(bag).length > 0) event[key] = bag as never
  }
  if (scope.breadcrumbs.length > 0) event.breadcrumbs ??= [...scope.breadcrumbs]
}
