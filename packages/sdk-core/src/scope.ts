import type { EventLevel, EventUser } from '@afterimage/protocol/event'
import type { Breadcrumb, CaptureContext, SdkEvent } from './event.ts'
import { normalize } from './normalize.ts'

type Value = string | number | boolean | null | undefined
type Bag = Readonly<Record<string, unknown>>

/** What holds for every event captured while it is current. Undefined takes a member out. */
export interface Scope {
  /** Plain data: nothing of the page is held on to. */
  readonly data: CaptureContext
  /** Newest last. */
  readonly breadcrumbs: Breadcrumb[]
  setUser(user: EventUser | null): void
  setTag(key: string, value: Value): void
  setTags(tags: Readonly<Record<string, Value>>): void
  setExtra(key: string, value: unknown): void
  setContext(name: string, context: Bag | null): void
  setLevel(level: EventLevel): void
  setFingerprint(fingerprint: readonly string[]): void
}

/** A scope of its own that begins as a copy. What happened on the page is of all of them. */
export function createScope(parent?: Scope): Scope {
  const data: Record<string, unknown> = { ...parent?.data }
  function set(key: keyof CaptureContext, value: unknown): void {
    data[key] = normalize(value) ?? undefined
  }
  function merge(key: keyof CaptureContext, members: Bag): void {
    data[key] = { ...(data[key] as Bag), ...normalize(members) }
  }
  return {
    data,
    breadcrumbs: parent?.breadcrumbs ?? [],
    setUser: (user) => set('user', user),
    setTag: (key, value) => merge('tags', { [key]: value }),
    setTags: (tags) => merge('tags', tags),
    setExtra: (key, value) => merge('extra', { [key]: value }),
    setContext: (name, context) => merge('contexts', { [name]: context ?? undefined }),
    setLevel: (level) => set('level', level),
    setFingerprint: (fingerprint) => set('fingerprint', fingerprint),
  }
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

/** The event with a scope laid under it, and the words of one capture over both. */
export function withScopeApplied(event: SdkEvent, scope: Scope, words: CaptureContext): SdkEvent {
  const layers = [scope.data, event, normalize(words)]
  const bag = (key: 'tags' | 'extra' | 'contexts') =>
    Object.assign({}, ...layers.map((layer) => layer[key])) as Record<string, never>
  return Object.assign({}, ...layers, {
    breadcrumbs: event.breadcrumbs ?? [...scope.breadcrumbs],
    tags: bag('tags'),
    extra: bag('extra'),
    contexts: bag('contexts'),
  }) as SdkEvent
}
