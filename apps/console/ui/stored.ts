import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

/**
 * A small choice that this browser remembers (a folded section, a density). Null on the server and
 * where storage is forbidden: a page that forgets is better than one that fails.
 */
export function useStored(key: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => null,
  )
  const set = useCallback(
    (next: string | null) => {
      write(key, next)
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [value, set]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(`afterimage.${key}`)
  } catch {
    return null
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`afterimage.${key}`)
    else localStorage.setItem(`afterimage.${key}`, value)
  } catch {
    return
  }
}
