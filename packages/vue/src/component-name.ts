/** An instance of a component, as far as it is used. */
export interface Component {
  readonly $options: {
    readonly name?: string
    readonly __name?: string
    readonly __file?: string
  }
  readonly $root: Component | null
  readonly $props: object
}

/** Returns a component's name as Vue's own warnings write it; that of the outermost is `Root`. */
export function componentName(instance: Component): string {
  // The names of compilers are not in the style of ours.
  // oxlint-disable-next-line no-underscore-dangle
  const { name, __name: inferred, __file: file } = instance.$options
  const written = name ?? inferred ?? file?.replace(/^.*[/\\]|\.\w+$/g, '')
  return written ?? (instance.$root === instance ? 'Root' : 'Anonymous')
}
