// oxlint-disable-next-line no-underscore-dangle -- bundlers define it by this name
declare const __AFTERIMAGE_DEBUG__: boolean | undefined
declare const process: { readonly env: { readonly NODE_ENV?: string } }

/**
 * Warns the developer about a mistake in the set-up, in development builds only. Bundlers drop the
 * texts when `__AFTERIMAGE_DEBUG__` is defined as `false`.
 */
export function warn(text: string, about?: unknown): void {
  if (typeof __AFTERIMAGE_DEBUG__ === 'undefined' ? isDevelopment() : __AFTERIMAGE_DEBUG__) {
    console.warn(`Afterimage: ${text}`, about ?? '')
  }
}

function isDevelopment(): boolean {
  try {
    // Bundlers replace this expression; without one there is no `process`.
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
