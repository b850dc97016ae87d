/** The page counts as idle after this long, however busy it is. */
const idleMs = 5000

/** Runs once the page is loaded and idle; returns a function that calls it off while it loads. */
export function whenIdle(run: () => unknown): () => void {
  const onLoad = (): void => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: idleMs })
    else setTimeout(run)
  }
  if (document.readyState === 'complete') onLoad()
  else addEventListener('load', onLoad, { once: true })
  return () => removeEventListener('load', onLoad)
}
