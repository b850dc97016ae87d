import { errorPageMarkup, errorPageTitle } from '@afterimage/protocol/error-page'
import { selfMonitoringAttribute } from '@afterimage/protocol/self-monitoring'
import { secretPaths } from './secret-paths.ts'

/** Time limit for loading the build manifest, and for loading a route (docs/specification.md#s5). */
export const loadingLimitMs = 3800
/** Event that the page's own scripts dispatch once it is drawn. */
export const shownEvent = 'afterimage:shown'
/** Event that the watch dispatches when the page will not be drawn. */
export const givingUpEvent = 'afterimage:giving-up'
/** Key in the tab's storage for the address of a hard navigation in progress. */
export const hardAttemptKey = 'afterimageHardAttempt'

/**
 * Returns the script that watches a document until its own scripts have drawn it. It is inline, since
 * any file may fail to arrive, and sends its own report.
 * Write it as `<script type="module" async>`: other inline scripts wait for the style sheets before
 * them, and a style sheet may be the missing file.
 */
export function firstLoadScript(): string {
  const noAnswer = { status: null }
  const given: FirstLoad = {
    limitMs: loadingLimitMs,
    shownEvent,
    givingUpEvent,
    key: hardAttemptKey,
    selfAttribute: selfMonitoringAttribute,
    secretPaths: secretPaths.map(({ source }) => source),
    title: errorPageTitle(noAnswer),
    markup: errorPageMarkup(noAnswer),
  }
  // A script must not contain its own end tag.
  const json = JSON.stringify(given)
  const parts = [watchFiles, reportNotLoaded].map((part) => part.toString())
  return `(${watchFirstLoad.toString()})(${[json, ...parts].join(',')})`.replaceAll(
    '</script',
    String.raw`<\/script`,
  )
}

interface FirstLoad {
  readonly limitMs: number
  readonly shownEvent: string
  readonly givingUpEvent: string
  readonly key: string
  readonly selfAttribute: string
  /** Sources of expressions. */
  readonly secretPaths: readonly string[]
  readonly title: string
  readonly markup: string
}

/**
 * Runs in the document, as text: it refers to nothing outside itself. Each script and style sheet
 * that arrives restarts the timer. When it expires, the document is reloaded once; the second time it
 * becomes the generic error page, with a report. A document with all its files is only busy.
 */
function watchFirstLoad(
  given: FirstLoad,
  watch: typeof watchFiles,
  report: typeof reportNotLoaded,
): void {
  const files = watch(wait)
  let timer = setTimeout(onTime, given.limitMs)
  let isOver = false

  function wait(): void {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(onTime, given.limitMs)
  }
  function end(): void {
    isOver = true
    clearTimeout(timer)
    files.end()
  }
  function onTime(): void {
    const missing = files.missing()
    if (missing.length === 0) return wait()
    end()
    dispatchEvent(new Event(given.givingUpEvent))
    let isSecond = false
    try {
      isSecond = sessionStorage.getItem(given.key) === location.href
      if (isSecond) sessionStorage.removeItem(given.key)
      else sessionStorage.setItem(given.key, location.href)
    } catch {
      const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      isSecond = entry?.type === 'reload'
    }
    if (!isSecond) return location.reload()
    window.stop()
    report(given, missing)
    document.title = given.title
    const page = document.createElement('main')
    page.className = 'ai-plain'
    page.innerHTML = given.markup
    // The parser may still wait for a style sheet of the head: then there is no body yet.
    const body = document.querySelector('body') ?? document.createElement('body')
    body.replaceChildren(page)
    document.documentElement.append(body)
  }
  addEventListener(given.shownEvent, end, { once: true })
}

interface WatchedFiles {
  /** Paths of the scripts and style sheets that have not arrived, or failed. */
  missing(): string[]
  end(): void
}

/**
 * Watches the document's files for the watch, also as text. A file that fails is waited for like one
 * that hangs: the server may be restarting.
 */
function watchFiles(onArrival: () => void): WatchedFiles {
  const arrived = new WeakSet<EventTarget>()
  const failed = new WeakSet<EventTarget>()

  function onLoad({ target }: Event): void {
    if (!(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return
    arrived.add(target)
    onArrival()
  }
  function onError({ target }: Event): void {
    if (target !== null) failed.add(target)
  }
  function isMissing(file: HTMLScriptElement | HTMLLinkElement): boolean {
    if (arrived.has(file)) return false
    if (failed.has(file)) return true
    // Its events may have come before they were listened to.
    const address = 'src' in file ? file.src : file.href
    return !performance.getEntriesByName(address).some((entry) => {
      // Chromium has entries of failed files too; not every browser has the status.
      const { responseStatus = 200 } = entry as Partial<PerformanceResourceTiming>
      return responseStatus >= 200 && responseStatus < 400
    })
  }
  // The events of elements do not bubble to the window.
  document.addEventListener('load', onLoad, true)
  document.addEventListener('error', onError, true)
  return {
    missing: () => {
      const scripts = [...document.scripts].filter((it) => it.src !== '' && !it.noModule)
      const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      return [...scripts, ...sheets]
        .filter(isMissing)
        .map((it) => new URL('src' in it ? it.src : it.href).pathname)
    },
    end: () => {
      document.removeEventListener('load', onLoad, true)
      document.removeEventListener('error', onError, true)
    },
  }
}

/**
 * Reports for the watch, also as text: the client may be among the missing files, so the envelope is
 * made here.
 */
function reportNotLoaded(given: FirstLoad, missing: readonly string[]): void {
  const text = document.documentElement.getAttribute(given.selfAttribute)
  if (text === null) return
  const { dsn, tunnelPath, release, environment } = JSON.parse(text) as Record<string, string>
  const project = new URL(dsn ?? '').pathname.slice(1)
  const event_id = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  let path = location.pathname
  for (const source of given.secretPaths) path = path.replace(new RegExp(source, 'g'), '*')
  const type = 'PageNotLoaded'
  const value = `The page’s files did not arrive within ${given.limitMs} ms, twice`
  const mechanism = { type: 'next.first_load', handled: true }
  const event = {
    event_id,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    release,
    environment,
    transaction: path,
    fingerprint: ['next', 'page-not-loaded'],
    request: { url: location.origin + path },
    contexts: { loading: { missing: missing.slice(0, 20) } },
    exception: { values: [{ type, value, mechanism }] },
  }
  const lines = [{ event_id, dsn, sent_at: new Date().toISOString() }, { type: 'event' }, event]
  void fetch(`${tunnelPath}?o=1&p=${project}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    keepalive: true,
  }).catch(() => null)
}
