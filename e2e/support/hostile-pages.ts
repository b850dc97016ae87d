/** Scripts of pages that break what others rely on, each run before the client. */
export const hostilePages = {
  frozen: `for (const it of [console, history, Error, History.prototype, Element.prototype,
    XMLHttpRequest.prototype, Object.prototype, Array.prototype, Function.prototype]) Object.freeze(it)
    Object.defineProperty(window, 'fetch', { value: fetch, writable: false, configurable: false })`,
  hostile: `for (const [owner, name] of [[document, 'referrer'], [navigator, 'userAgent'],
      [navigator, 'locks'], [window, 'indexedDB']]) {
      Object.defineProperty(owner, name, { get() { throw new Error('hostile ' + name) } })
    }`,
  bare: `for (const name of ['fetch', 'XMLHttpRequest', 'TextEncoder']) window[name] = undefined
    window.requestIdleCallback = () => { throw new Error('hostile idle') }`,
  extended: 'Object.prototype.x = 2',
} as const
