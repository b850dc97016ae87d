// oxlint-disable-next-line no-underscore-dangle -- bundlers define it by this name
declare const __AFTERIMAGE_DEBUG__: boolean | undefined
declare const process: { readonly env: { readonly NODE_ENV?: string } }

/**
 * Tells the developer about a mistake in the set-up, and what it is about; in development builds only.
 * Bundlers leave the texts out when `__AFTERIMAGE_DEBUG__` is defined as `false`.
 */
export function warn(text: string, about?: unknown): void {
  if (typeof __AFTERIMAGE_DEBUG__ === 'undefined' ? isDevelopment() : __AFTERIMAGE_DEBUG__) {
    console.warn(`Afterimage: ${text}`, about ?? '')
  }
}

function isDevelopment(): boolean {
  try {
    // Bundlers write the mode in its place; without one there is no process.
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
