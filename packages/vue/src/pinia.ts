import { addBreadcrumb } from '@afterimage/sdk-core/api'

/** A store of Pinia, as far as it is used. */
interface PiniaStore {
  readonly $id: string
  $onAction(listener: (action: { readonly name: string }) => void, isDetached?: boolean): unknown
}

/**
 * Records a breadcrumb for each action of a store: `pinia.use(piniaPlugin)`. It has the names of
 * the store and the action; neither arguments nor state are read.
 */
export function piniaPlugin({ store }: { readonly store: PiniaStore }): void {
  // Detached, or it would end with the component that first used the store.
  store.$onAction(({ name }) => {
    addBreadcrumb({ category: 'pinia.action', level: 'info', message: `${store.$id}.${name}` })
  }, true)
}
