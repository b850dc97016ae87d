/** Returns the name that React's own messages give to a component. */
export function componentName({
  displayName,
  name,
}: {
  readonly displayName?: string | undefined
  readonly name: string
}): string {
  return displayName ?? (name || 'Anonymous')
}
