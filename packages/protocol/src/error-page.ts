/**
 * The generic error page, as markup: the console draws it in both router modes, the front door
 * sends it as a whole document, and a page whose scripts never arrived puts it in its own place.
 */

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'This page could not be found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
}

/** Returns the title for an HTTP status; null where no answer had one. */
export function errorTitle(status: number | null): string {
  return titles[status ?? 0] ?? 'An unexpected error has occurred'
}

/** Returns the message of the outermost boundary for a page that failed in the browser. */
export function clientExceptionMessage(hostname: string): string {
  return `Application error: a client-side exception has occurred while loading ${hostname} (see the browser console for more information).`
}

export interface ErrorPage {
  /** Status of the HTTP answer; null where none was given, and no code is shown then. */
  readonly status: number | null
  /** Stands in place of the title and the code: the failure was the browser's. */
  readonly message?: string
  /** A sentence below the title that tells the visitor what to expect or do. */
  readonly explanation?: string
}

/** Returns the title of the browser's tab. */
export function errorPageTitle({ status, message }: ErrorPage): string {
  if (message !== undefined) return 'Application error: a client-side exception has occurred'
  return status === null ? errorTitle(null) : `${status}: ${errorTitle(status)}`
}

/*
 * Colours and fonts are written out: this page must look right when no stylesheet, no font and no
 * script of the console could be loaded. They are the console's tokens of the same names. The build
 * renames the typefaces, so the variables name them wherever its style sheets have arrived.
 */
const style = `
.ai-plain{color-scheme:light dark;--paper:light-dark(#faf8f3,#161311);--ink:light-dark(#1c1a17,#f1ede5);--ink-3:light-dark(#6a645a,#9c9488);--after:light-dark(#0b98ab,#43cadd);--now:light-dark(#e5480b,#ff6d2e);min-height:100vh;box-sizing:border-box;display:grid;place-items:center;align-content:center;gap:24px;padding:24px;background:var(--paper);color:var(--ink)}
:root[data-theme=light] .ai-plain{color-scheme:light}:root[data-theme=dark] .ai-plain{color-scheme:dark}
.ai-plain-inside{min-height:70vh}
body{margin:0}
.ai-plain-line{display:flex;align-items:center;gap:32px;max-width:44em}
.ai-plain svg{flex:none}
.ai-plain h1{margin:0;font:500 15px/24px var(--font-geist-mono,ui-monospace),ui-monospace,monospace;color:var(--ink-3)}
.ai-plain h2{margin:0;font:600 30px/36px var(--font-source-serif,Georgia),Georgia,serif;letter-spacing:-.016em;overflow-wrap:anywhere}
.ai-plain h2.ai-plain-message{font:500 21px/28px var(--font-source-serif,Georgia),Georgia,serif}
.ai-plain p{margin:8px 0 0;font:400 16px/24px var(--font-source-serif,Georgia),Georgia,serif;color:var(--ink-3)}
.ai-plain a:focus-visible,.ai-plain button:focus-visible{outline:2px solid var(--now);outline-offset:2px}
@media(max-width:480px){.ai-plain svg{width:48px;height:48px}}
`

const ring =
  '<svg width="72" height="72" viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="33" fill="none" stroke="var(--after)" stroke-width="2"/></svg>'

/**
 * Returns the page's content, with its own styles: the ring without its disc, the code, the
 * sentence. It has no navigation and no product name. Its box is the caller's, of the class `ai-plain`.
 */
export function errorPageMarkup({ status, message, explanation }: ErrorPage): string {
  const code = status === null || message !== undefined ? '' : `<h1>${status}</h1>`
  const sentence =
    message === undefined
      ? `<h2>${errorTitle(status)}.</h2>`
      : `<h2 class="ai-plain-message">${escapeHtml(message)}</h2>`
  const more = explanation === undefined ? '' : `<p>${escapeHtml(explanation)}</p>`
  return `<style>${style}</style><div class="ai-plain-line">${ring}<div>${code}${sentence}${more}</div></div>`
}

/** Returns a whole document that needs nothing else: no script, no style sheet, no image. */
export function renderErrorPage(page: ErrorPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(errorPageTitle(page))}</title>
</head>
<body><main class="ai-plain">${errorPageMarkup(page)}</main></body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
