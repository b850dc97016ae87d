/**
 * The browser's half of SvelteKit, for `hooks.client.js` and the outermost layout: all of the
 * browser's client, and what SvelteKit alone knows.
 */
import { announcePage, nameRoute, showPage } from '@afterimage/browser/routed-pages'
import { captureThrown } from '@afterimage/sdk-core/api'
import { isUnexpected, logKitError } from './kit-error.ts'
import type { KitError } from './kit-error.ts'

export * from '@afterimage/browser'
export * from '@afterimage/browser/tracing'
export { routerTracing as browserTracing } from '@afterimage/browser/routed-pages'
export type { KitError } from './kit-error.ts'

/** Reports the errors of navigations: `export { handleError } from '@afterimage/svelte/kit-client'`. */
export const handleError: (input: KitError) => void = handleErrorWithAfterimage()

/** Makes the hook of an application that has its own, whose answer it gives. */
export function handleErrorWithAfterimage<Input extends KitError = KitError, Answer = void>(
  own?: (input: Input) => Answer,
): (input: Input) => Answer {
  return (input) => {
    if (isUnexpected(input)) {
      captureThrown(input.error, { mechanism: { type: 'sveltekit.handle_error', handled: false } })
    }
    return own === undefined ? (logKitError(input) as Answer) : own(input)
  }
}

interface NavigationTarget {
  readonly url: URL
  readonly route: { readonly id: string | null }
}

interface Navigation {
  readonly to: NavigationTarget | null
  readonly willUnload?: boolean
  readonly complete?: Promise<void>
}

/** Functions of `$app/navigation`, and `page` of `$app/state`. */
export interface KitNavigation {
  beforeNavigate(callback: (navigation: Navigation) => void): void
  afterNavigate(callback: () => void): void
  readonly page: { readonly route: { readonly id: string | null } }
}

/**
 * Names page loads and navigations by their routes, as `/users/[id]`, and begins a navigation
 * before its `load` functions run. It is called in the outermost layout:
 * `traceNavigation({ afterNavigate, beforeNavigate, page })`.
 */
export function traceNavigation({ beforeNavigate, afterNavigate, page }: KitNavigation): void {
  beforeNavigate(({ to, willUnload, complete }) => {
    if (to === null || willUnload === true) return
    announcePage(to.url.href, to.route.id ?? undefined)
    complete?.catch(showPage)
  })
  afterNavigate(() => {
    showPage()
    // SvelteKit 2 names no route when the first page is entered; its `page` has it.
    const { id } = page.route
    if (id !== null) nameRoute(location.href, id)
  })
}
