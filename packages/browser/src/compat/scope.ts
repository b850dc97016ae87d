import { addBreadcrumb } from '@afterimage/sdk-core/api'
import type { Breadcrumb, CaptureContext } from '@afterimage/sdk-core/event'
import {
  createScope,
  getIsolationScope as getOwnIsolationScope,
  getScope,
  withScope as withOwnScope,
} from '@afterimage/sdk-core/scope'
import type { Scope as OwnScope } from '@afterimage/sdk-core/scope'
import { addEventProcessor } from '../scopes.ts'
import type { EventProcessor } from '../scopes.ts'
import { warnOnce } from './absent.ts'

/** A scope with the methods of the other client, which return the scope. */
export interface Scope {
  setUser(...given: Parameters<OwnScope['setUser']>): this
  setTag(...given: Parameters<OwnScope['setTag']>): this
  setTags(...given: Parameters<OwnScope['setTags']>): this
  setExtra(...given: Parameters<OwnScope['setExtra']>): this
  setExtras(extras: Readonly<Record<string, unknown>>): this
  setContext(...given: Parameters<OwnScope['setContext']>): this
  setLevel(...given: Parameters<OwnScope['setLevel']>): this
  setFingerprint(...given: Parameters<OwnScope['setFingerprint']>): this
  addBreadcrumb(breadcrumb: Breadcrumb): this
  addEventProcessor(processor: EventProcessor): this
  getScopeData(): CaptureContext
}

/** A context of one capture: members, a hint that holds them, or a function that sets them. */
export type Words =
  | CaptureContext
  | { readonly captureContext?: Words | undefined }
  | ((scope: Scope) => unknown)

function wrap(own: OwnScope): Scope {
  const chained =
    <A extends unknown[]>(run: (...given: A) => void) =>
    (...given: A): Scope => {
      run(...given)
      return scope
    }
  const scope: Scope = {
    setUser: chained(own.setUser),
    setTag: chained(own.setTag),
    setTags: chained(own.setTags),
    setExtra: chained(own.setExtra),
    setExtras: chained(own.setExtras),
    setContext: chained(own.setContext),
    setLevel: chained(own.setLevel),
    setFingerprint: chained(own.setFingerprint),
    addBreadcrumb: chained((breadcrumb: Breadcrumb) => addBreadcrumb(breadcrumb)),
    addEventProcessor: chained((processor: EventProcessor) => addEventProcessor(processor, own)),
    getScopeData: () => own.data,
  }
  return scope
}

/** Returns the current scope. */
export function getCurrentScope(): Scope {
  return wrap(getScope())
}

/** Returns the scope of the page: a page is one isolation. */
export function getIsolationScope(): Scope {
  return wrap(getOwnIsolationScope())
}

/** Returns the scope of the page, which is beneath all others. */
export const getGlobalScope = getIsolationScope

/** Runs `callback` with a copy of the scope, which is dropped afterwards. */
export function withScope<R>(...given: [(scope: Scope) => R] | [Scope, (scope: Scope) => R]): R {
  const callback = given.at(-1) as (scope: Scope) => R
  if (given.length > 1) warnOnce('withScope with a scope', 'runs in a copy of the current one')
  return withOwnScope((own) => callback(wrap(own)))
}

/** Runs `callback` with a copy of the scope, and passes it that of the page. */
export function withIsolationScope<R>(callback: (scope: Scope) => R): R {
  return withOwnScope(() => callback(getIsolationScope()))
}

/** Returns the members that a capture adds. */
export function wordsOf(given: Words | undefined): CaptureContext | undefined {
  if (typeof given !== 'function') {
    if (given === undefined || !('captureContext' in given)) return given as CaptureContext
    return wordsOf(given.captureContext)
  }
  const own = createScope()
  given(wrap(own))
  return own.data
}
