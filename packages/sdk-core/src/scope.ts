import type { EventLevel, EventUser } from '@afterimage/protocol/event'
import type { Breadcrumb, CaptureContext, SdkEvent } from './event.ts'
import type { Integration } from './integration.ts'
import { normalize } from './normalize.ts'

type Value = string | number | boolean | null | undefined
type Bag = Readonly<Record<string, unknown>>

/** Data for every event captured while the scope is current. Undefined removes a member. */
export interface Scope {
  /** Plain data, without references to the page's objects. That of the parents lies beneath. */
  readonly data: CaptureContext
  /** Newest last. */
  readonly breadcrumbs: Breadcrumb[]
  /** Run after the integrations; those that the parent had when the scope began come first. */
  readonly processors: Pick<Integration, 'processEvent' | 'discardReason'>[]
  /** Lays data over what is set, or hands the scope to a function. */
  update(more: CaptureContext | ((scope: Scope) => unknown)): void
  setUser(user: EventUser | null): void
  setTag(key: string, value: Value): void
  setTags(tags: Readonly<Record<string, Value>>): void
  setExtra(key: string, value: unknown): void
  setExtras(extra: Bag): void
  setContext(name: string, context: Bag | null): void
  setLevel(level: EventLevel): void
  setFingerprint(fingerprint: readonly string[]): void
}

/** Creates a scope on top of another. All scopes share the page's breadcrumbs. */
export function createScope(parent?: Scope): Scope {
  const own: CaptureContext = {}
  const update = (more: Bag | ((scope: Scope) => unknown) | undefined): void => {
    if (typeof more === 'function') more(scope)
    else Object.assign(own, laid(own, members(more)))
  }
  const scope: Scope = {
    get data() {
      return parent ? laid(parent.data, own) : own
    },
    processors: [...(parent?.processors ?? [])],
    breadcrumbs: parent?.breadcrumbs ?? [],
    update,
    setUser: (user) => update({ user: user ?? undefined }),
    setTag: (key, value) => update({ tags: { [key]: value } }),
    setTags: (tags) => update({ tags }),
    setExtra: (key, value) => update({ extra: { [key]: value } }),
    setExtras: (extra) => update({ extra }),
    setContext: (name, context) => update({ contexts: { [name]: context ?? undefined } }),
    setLevel: (level) => update({ level }),
    setFingerprint: (fingerprint) => update({ fingerprint }),
  }
  return scope
}

/** The scope of the page, beneath all others. */
const page = createScope()
let current = page

export function getScope(): Scope {
  return current
}

/** Returns the scope of the page, whichever is current: a page is one isolation. */
export function getIsolationScope(): Scope {
  return page
}

/**
 * Runs `callback` with a scope on top of the current one, which is dropped afterwards. It is
 * current until the callback returns: code after an `await` should use the scope that was passed.
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
export function withScopeApplied(event: SdkEvent, scope: Scope, words?: CaptureContext): SdkEvent {
  return {
    ...laid(scope.data, event, members(words)),
    breadcrumbs: event.breadcrumbs ?? [...scope.breadcrumbs],
  }
}

/** Copies members as plain data, each to the usual depth. */
function members<T>(of: T): T {
  return normalize(of, undefined, 1)
}

/** Lays one over the other: tags, extra and contexts member by member. */
function laid<T extends Bag>(...layers: readonly (T | undefined)[]): T {
  const all = Object.assign({}, ...layers) as Record<string, unknown>
  for (const key of ['tags', 'extra', 'contexts']) {
    all[key] = Object.assign({}, ...layers.map((layer) => layer?.[key]))
  }
  return all as T
}
