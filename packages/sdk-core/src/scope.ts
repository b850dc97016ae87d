import type { EventLevel, EventUser } from '@afterimage/protocol/event'
import type { Breadcrumb, CaptureContext, SdkEvent } from './event.ts'
import { normalize } from './normalize.ts'

type Value = string | number | boolean | null | undefined
type Bag = Readonly<Record<string, unknown>>

/** Data for every event captured while the scope is current. Undefined removes a member. */
export interface Scope {
  /** Plain data, without references to the page's objects. */
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

/** Creates a scope as a copy of another. All scopes share the page's breadcrumbs. */
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
 * Runs `callback` with a copy of the scope, which is dropped afterwards. The copy is current until
 * the callback returns: code after an `await` should use the scope that was passed.
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

/** Returns the event over the data of a scope, and under that of one capture. */
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
