// oxlint-disable-next-line no-underscore-dangle -- bundlers define it by this name
declare const __AFTERIMAGE_DEBUG__: boolean | undefined

/**
 * Tells the developer about a mistake in the set-up, and what it is about. Bundlers leave the texts
 * out when `__AFTERIMAGE_DEBUG__` is defined as `false`.
 */
export function warn(text: string, about?: unknown): void {
  if (typeof __AFTERIMAGE_DEBUG__ === 'undefined' || __AFTERIMAGE_DEBUG__) {
    console.warn(`Afterimage: ${text}`, about ?? '')
  }
}
